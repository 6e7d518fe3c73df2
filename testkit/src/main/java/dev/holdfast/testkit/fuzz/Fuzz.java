package dev.holdfast.testkit.fuzz;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Feeds a parser with damaged input: good examples that are cut, spliced, repeated and mixed with what parsers stumble over. An input
 * is a function of the seed and its number, so a failure names the command that repeats it.
 *
 * <p>{@code -Dfuzz.inputs=1000000} sets how many inputs each test tries, {@code -Dfuzz.seed=7} with which seed,
 * {@code -Dfuzz.first=4711} from which number on.
 */
public final class Fuzz {
    /** How many each test tries in a build: a second or two. */
    private static final int INPUTS = 10_000;
    /** No input takes longer; far above what the machine's other work may cause. */
    private static final long MAX_NANOS = 5_000_000_000L;
    /** Longest run of one character. */
    private static final int MAX_RUN = 5_000;
    /** Changes made to one example. */
    private static final int MAX_CHANGES = 6;

    /** Each by itself; two of them are halves of a pair that is none. */
    private static final String SIGNS =
            " \t\n\u0000\u0085\u00a0\u202e\u2028\ufeff\ufffd\udc00\ud800\ud83d\ude00éßİ٣%/\\:@?#&;,='\"`$(){}[]<>|*+-_~^!0sdZT";

    private static final List<String> WORDS = List.of(
            "",
            "\r\n",
            "\u001b[m",
            "%00",
            "%2f",
            "%zz",
            "//",
            "..",
            "../",
            "::",
            "@@",
            "==",
            "${x}",
            "[[",
            "--",
            "null",
            "true",
            "ms",
            "-1",
            "1e9",
            "1e999999999",
            "9223372036854775807",
            "9223372036854775808",
            "99999999999999999999",
            "0x1F",
            "NaN");

    private static final List<String> STUMBLES = Stream.concat(
                    SIGNS.codePoints().mapToObj(Character::toString), WORDS.stream())
            .toList();

    private final List<String> good;
    private final long seed = Long.getLong("fuzz.seed", 15);

    private Fuzz(List<String> good) {
        this.good = List.copyOf(good);
    }

    /** With these examples of what is right, each of which is tried as it is, too. */
    public static Fuzz of(String... good) {
        return new Fuzz(List.of(good));
    }

    public static int inputs() {
        return Integer.getInteger("fuzz.inputs", INPUTS);
    }

    /**
     * Tries them all.
     *
     * @param check what must hold for every input: usually that it is taken, or refused as the parser says it refuses
     */
    public void run(Consumer<String> check) {
        int first = Integer.getInteger("fuzz.first", 0);
        for (int i = first; i < first + inputs(); i++) {
            tried(i, i < good.size() ? good.get(i) : mutated(new Random(seed * 1_000_003 + i)), check);
        }
    }

    /** Tries what a parser takes or refuses with one kind of exception, and nothing else. */
    public <T> void run(Function<String, T> parser, Class<? extends Exception> refusal, Consumer<T> taken) {
        run(input -> {
            T value;
            try {
                value = parser.apply(input);
            } catch (RuntimeException e) {
                if (refusal.isInstance(e)
                        && e.getMessage() != null
                        && !e.getMessage().isBlank()) {
                    return;
                }
                throw e;
            }
            taken.accept(value);
        });
    }

    private void tried(int number, String input, Consumer<String> check) {
        long start = System.nanoTime();
        try {
            check.accept(input);
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            throw new AssertionError(failed(number, input) + ": " + e, e);
        }
        if (System.nanoTime() - start > MAX_NANOS) {
            throw new AssertionError(
                    failed(number, input) + ": took " + (System.nanoTime() - start) / 1_000_000 + " ms");
        }
    }

    private String failed(int number, String input) {
        StringBuilder shown = new StringBuilder();
        input.chars()
                .limit(300)
                .forEach(c ->
                        shown.append(c >= ' ' && c < 0x7f ? String.valueOf((char) c) : String.format("\\u%04x", c)));
        return "Input " + number + " (repeat with -Dfuzz.seed=" + seed + " -Dfuzz.first=" + number
                + " -Dfuzz.inputs=1): " + shown;
    }

    private String mutated(Random random) {
        StringBuilder text = new StringBuilder(pick(good, random));
        int changes = 1 + random.nextInt(MAX_CHANGES);
        for (int i = 0; i < changes; i++) {
            change(text, random);
        }
        return text.toString();
    }

    private void change(StringBuilder text, Random random) {
        int from = random.nextInt(text.length() + 1);
        int to = from + random.nextInt(Math.min(20, text.length() - from) + 1);
        switch (random.nextInt(9)) {
            case 0 -> text.delete(from, to);
            case 1 -> text.insert(from, pick(STUMBLES, random));
            case 2 -> text.replace(from, to, pick(STUMBLES, random));
            case 3 -> text.insert(from, text.substring(from, to));
            case 4 -> text.setLength(from);
            case 5 -> text.replace(from, text.length(), tail(pick(good, random), random));
            case 6 -> text.insert(from, (char) random.nextInt(random.nextInt(4) == 0 ? 0x10000 : 0x80));
            case 7 -> swapCase(text, from, to);
            default -> {
                if (random.nextInt(20) == 0) { // rare: long inputs cost the most
                    text.insert(from, pick(STUMBLES, random).repeat(1 + random.nextInt(MAX_RUN)));
                }
            }
        }
    }

    private static void swapCase(StringBuilder text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            text.setCharAt(i, Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c));
        }
    }

    private static String tail(String text, Random random) {
        return text.substring(random.nextInt(text.length() + 1));
    }

    private static String pick(List<String> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
