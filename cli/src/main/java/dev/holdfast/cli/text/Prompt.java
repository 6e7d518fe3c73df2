package dev.holdfast.cli.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Asks on standard error, and reads the answer from standard input. */
public final class Prompt {
    private Prompt() {}

    /** Whether the answer is the expected one; says so if it is not, or if none comes. */
    public static boolean isConfirmed(PrintWriter talk, String question, String expected) {
        talk.print(question + " ");
        talk.flush();
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            if (line == null) {
                talk.println(); // Ctrl-D leaves the cursor behind the question
            } else if (line.strip().equals(expected)) {
                return true;
            }
            talk.println("Not confirmed. Nothing was done");
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("The answer could not be read", e);
        }
    }
}
