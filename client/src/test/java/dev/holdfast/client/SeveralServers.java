package dev.holdfast.client;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Servers on several stores as one program: to start a JVM for each would take longer than what they are for. */
final class SeveralServers {
    private static final String LISTENING = "listening ";

    private SeveralServers() {}

    /** Starts a process with a server on each of these stores, all with these flags. */
    static JavaProcess start(List<String> stores, List<String> flags) {
        List<String> words = new ArrayList<>(flags);
        words.add("--");
        words.addAll(stores);
        return JavaProgram.of(SeveralServers.class).heap("256m").start(words.toArray(String[]::new));
    }

    /** Where they listen; waits until they do. */
    static List<Integer> ports(JavaProcess process) {
        String line = process.awaitLine(LISTENING);
        return Stream.of(line.substring(LISTENING.length()).split(" "))
                .map(Integer::valueOf)
                .toList();
    }

    /** The process: serves until whoever started it is gone. */
    public static void main(String[] words) throws IOException {
        List<String> all = List.of(words);
        int end = all.indexOf("--");
        List<HoldfastServer> servers = new ArrayList<>();
        for (String store : all.subList(end + 1, all.size())) {
            List<String> flags = new ArrayList<>(all.subList(0, end));
            flags.add("--store=" + store);
            servers.add(HoldfastServer.start(ServerSetup.of(Settings.load(flags, Map.of(), Path.of("")))));
        }
        sleepThroughTheFirstSweep();
        System.out.println(LISTENING
                + servers.stream().map(it -> String.valueOf(it.port())).collect(Collectors.joining(" ")));
        System.in.read();
        servers.forEach(HoldfastServer::close);
    }

    /** A server cleans up once, within two seconds of its start; a case that looks at what expired would find it gone. */
    private static void sleepThroughTheFirstSweep() {
        try {
            TimeUnit.SECONDS.sleep(4);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
