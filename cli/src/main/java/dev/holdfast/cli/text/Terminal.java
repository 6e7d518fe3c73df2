package dev.holdfast.cli.text;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** Whether a person sits at the other end of a stream, and how wide the screen is. */
public final class Terminal {
    public static final int STDIN = 0;
    public static final int STDOUT = 1;
    public static final int STDERR = 2;

    private static final int NARROWEST = 40;
    private static final int WIDEST = 500;
    /** A tool that only reads a number; if the machine is so busy that it does not answer, lines are not cut. */
    private static final long ASK_SECONDS = 2;

    private Terminal() {}

    /** Whether this standard stream is a terminal. */
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
        return set != null ? columns(set) : asked();
    }

    private static OptionalInt asked() {
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
            return columns(answer.substring(answer.indexOf(' ') + 1)); // rows, columns
        } catch (IOException e) {
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
