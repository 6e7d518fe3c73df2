package dev.holdfast.cli.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Asks on standard error, and reads the answer from standard input. */
public final class Prompt {
    private Prompt() {}

    /** The answer, without blanks around it; empty if there is none to come. */
    private static Optional<String> ask(PrintWriter talk, String question) {
        talk.print(question + " ");
        talk.flush();
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            if (line == null) {
                talk.println(); // Ctrl-D leaves the cursor behind the question
            }
            return Optional.ofNullable(line).map(String::strip);
        } catch (IOException e) {
            throw new UncheckedIOException("The answer could not be read", e);
        }
    }

    /** Whether the answer is the expected one; says so if it is not. */
    public static boolean isConfirmed(PrintWriter talk, String question, String expected) {
        boolean confirmed = ask(talk, question).filter(expected::equals).isPresent();
        if (!confirmed) {
            talk.println("Not confirmed. Nothing was done");
        }
        return confirmed;
    }
}
