package dev.holdfast.docs;

import dev.holdfast.cli.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs short commands one after the other in one process, since starting a JVM for each would take minutes. Its directory and its
 * variables are those the commands would have. A caller sends the name of a directory with the file {@code args}, and finds
 * {@code out} and {@code err} there when the exit code comes back.
 */
final class CommandBridge {
    private CommandBridge() {}

    public static void main(String[] args) throws IOException {
        try (ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println("port " + door.getLocalPort());
            while (true) {
                try (Socket caller = door.accept()) {
                    answer(caller);
                }
            }
        }
    }

    private static void answer(Socket caller) throws IOException {
        String line =
                new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            return;
        }
        Path place = Path.of(line);
        List<String> words = List.of(Files.readString(place.resolve("args")).split("\0", -1));
        Shell.Result result =
                Shell.printedBare(words.subList(0, words.size() - 1).toArray(String[]::new));
        Files.writeString(place.resolve("out"), result.out());
        Files.writeString(place.resolve("err"), result.err());
        caller.getOutputStream().write((result.code() + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
