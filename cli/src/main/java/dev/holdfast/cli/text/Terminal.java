package dev.holdfast.cli.text;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Whether a person sits at the other end of a stream, and how wide the screen is. */
public final class Terminal {
    public static final int STDIN = 0;
    public static final int STDOUT = 1;
    public static final int STDERR = 2;

    private static final int NARROWEST = 40;
    private static final int WIDEST = 500;
    private static final int FEWEST_ROWS = 5;
    /** A tool that only reads a number; if the machine is so busy that it does not answer, lines are not cut. */
    private static final long ASK_SECONDS = 2;

    private Terminal() {}

    public static boolean is(int stream) {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return hasConsole(); // no /proc on this system: input and output together is all that can be asked
        }
    }

    /** Before Java 22 there is a console only on a terminal; since then it must be asked, by a method that is new, too. */
    @SuppressWarnings("SystemConsoleNull") // that is why it is asked
    private static boolean hasConsole() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Characters in a line of the screen; empty when this stream is no terminal, or its width cannot be learnt. */
    public static OptionalInt width(int stream) {
        if (!is(stream)) {
            return OptionalInt.empty();
        }
        String set = System.getenv("COLUMNS");
        return set != null ? columns(set) : asked(1, Terminal::columns);
    }

    /** The same for texts, which may also go into a pager: what the environment says counts without a terminal, too. */
    public static OptionalInt columns(int stream) {
        String set = System.getenv("COLUMNS");
        return set == null || is(stream) ? width(stream) : columns(set);
    }

    /** Whether colours are wanted where nothing else is said. */
    public static boolean hasColours(int stream) {
        String none = System.getenv("NO_COLOR");
        return (none == null || none.isEmpty()) && !"dumb".equals(System.getenv("TERM")) && is(stream);
    }

    /** Lines of the screen; empty if that cannot be learnt. */
    public static OptionalInt rows() {
        return asked(0, text -> OptionalInt.of(Math.max(FEWEST_ROWS, Integer.parseInt(text))));
    }

    /**
     * Whether this process is the one that people see at its terminal: what it draws over lines would destroy what others write
     * meanwhile.
     */
    public static boolean isInForeground() {
        return ProcFiles.isInForeground(ProcessHandle.current().pid());
    }

    /** Rows and columns, of which one is wanted. */
    private static OptionalInt asked(int which, Function<String, OptionalInt> read) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(ASK_SECONDS, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return OptionalInt.empty();
            }
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            String[] both = answer.split(" ", -1);
            return both.length == 2 ? read.apply(both[which]) : OptionalInt.empty();
        } catch (IOException | NumberFormatException e) {
            return OptionalInt.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    private static OptionalInt columns(String text) {
        try {
            int columns = Integer.parseInt(text.strip());
            return columns < 1 ? OptionalInt.empty() : OptionalInt.of(Math.max(NARROWEST, Math.min(WIDEST, columns)));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
