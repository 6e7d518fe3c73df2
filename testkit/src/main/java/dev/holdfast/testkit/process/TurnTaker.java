package dev.holdfast.testkit.process;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LockClient} in a process of its own that does what it is told, one line of its input after the other, and says on each line of
 * its output what became of it.
 *
 * <pre>
 *   open PLACE   connects                                          open
 *   turns N      N times: take the lock, write, release            turn TOKEN | lost REASON, not counted; then done
 *   hold MILLIS  takes the lock, with a lease this long            held TOKEN
 *   write        looks at the lease, then writes                   written TOKEN | lost REASON | stale
 *   overwrite    writes without looking                            written TOKEN | stale
 *   release      gives it back                                     released true | released false
 *   close        disconnects                                       closed
 * </pre>
 *
 * <p>To write is to read the number of a {@link Counter} and then, in another request, to store the next one, with the token, unless a
 * higher one is there. Two who do so at once lose a count, or are refused; a holder that is refused although its lease is
 * valid says {@code violated}.
 */
public final class TurnTaker {
    /** Longer than any test lets one wait. */
    private static final Duration WAIT = Duration.ofMinutes(2);

    private static final String FAILED = "failed: ";

    /** What the processes count in. */
    public interface Counter {
        long value() throws Exception;

        /** Stores the number and the token in one step, unless a token as high is there: whether it did. */
        boolean write(long next, long token) throws Exception;

        default void close() throws Exception {}
    }

    /**
     * Where turns are taken.
     *
     * @param locks for the lock
     * @param lease how long each turn may take
     * @param counter what is written under it
     */
    public record Place(LockClient locks, Duration lease, Counter counter) {}

    public interface Opening {
        /** Connects to what {@code open} names. */
        Place open(String place) throws Exception;
    }

    private final Opening opening;
    private @Nullable Place place;
    private @Nullable Lease lease;

    private TurnTaker(Opening opening) {
        this.opening = opening;
    }

    /** How many turns this process has said to have taken. */
    public static int turns(JavaProcess process) {
        return (int)
                process.said().stream().filter(line -> line.startsWith("turn ")).count();
    }

    /** Waits until it has taken so many turns; each of them may take as long as others wait in all. */
    public static void awaitTurns(JavaProcess process, int count) {
        for (int before = turns(process); before < count; before = turns(process)) {
            int seen = before;
            process.until("one more turn than " + seen + " is taken", () -> {
                if (process.hasSaid(FAILED)) {
                    throw new AssertionError(process.toString());
                }
                return turns(process) > seen;
            });
        }
    }

    /** In the other process: does what it is told until whoever started it is gone, or done. */
    public static void obey(Opening opening) throws Exception {
        TurnTaker turns = new TurnTaker(opening);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", 2);
            try {
                turns.run(words[0], words.length > 1 ? words[1] : "");
            } catch (Exception e) {
                say(FAILED + e);
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private void run(String command, String argument) throws Exception {
        switch (command) {
            case "open" -> {
                place = opening.open(argument);
                say("open");
            }
            case "turns" -> takeTurns(Integer.parseInt(argument));
            case "hold" -> {
                lease = take(Duration.ofMillis(Long.parseLong(argument)));
                say("held " + lease.token().value());
            }
            case "write" -> say(lookAndWrite(need(lease)));
            case "overwrite" -> say(write(need(lease), next()));
            case "release" -> say("released " + need(lease).release());
            case "close" -> {
                need(place).locks().close();
                need(place).counter().close();
                say("closed");
            }
            default -> say("unknown: " + command);
        }
    }

    private void takeTurns(int count) throws Exception {
        int left = count;
        while (left > 0) {
            String outcome;
            try (Lease taken = take(need(place).lease())) {
                outcome = lookAndWrite(taken);
            }
            say(outcome.replace("written", "turn"));
            left -= outcome.startsWith("lost") ? 0 : 1; // on a crowded machine; nothing was written
        }
        say("done");
    }

    private Lease take(Duration length) throws InterruptedException {
        return need(place).locks().acquire("counter", o -> o.lease(length).waitUpTo(WAIT));
    }

    private long next() throws Exception {
        return need(place).counter().value() + 1;
    }

    private String lookAndWrite(Lease held) throws Exception {
        long next = next();
        try {
            held.ensureValid();
        } catch (LeaseLostException e) {
            return "lost " + held.lostFor().map(Enum::name).orElse("?");
        }
        return write(held, next);
    }

    private String write(Lease held, long next) throws Exception {
        long token = held.token().value();
        if (need(place).counter().write(next, token)) {
            return "written " + token;
        }
        return held.isValid() ? "violated: refused while the lease is valid" : "stale";
    }

    private static void say(String what) {
        System.out.println(what);
    }

    private static <T> T need(@Nullable T thing) {
        if (thing == null) {
            throw new IllegalStateException("not opened or held yet");
        }
        return thing;
    }
}
