package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a worker is asked to do.
 *
 * @param kind which measurement
 * @param entrant whom it measures
 * @param address of the server
 * @param connections of its pool
 * @param servers processes whose time counts as the server's
 * @param words what the kind needs besides
 */
public record Task(
        Kind kind, ComparedLibrary entrant, String address, int connections, List<Long> servers, List<String> words) {
    /** Each is a class here. */
    public enum Kind {
        CYCLES,
        TURNS,
        RENEWALS,
        FLOOR,
        UNNEST,
        HELD,
        SQLITE,
        HTTP,
        STATE,
        RECORDS,
        WAITERS
    }

    /** What a kind needs, as words; times are told in milliseconds. */
    public static List<String> words(Object... what) {
        return Stream.of(what)
                .map(one -> String.valueOf(one instanceof Duration time ? time.toMillis() : one))
                .toList();
    }

    /** A step of {@link Kind#CYCLES}. */
    public static String step(int callers, Duration time, String label) {
        return callers + "x" + time.toMillis() + ":" + label;
    }

    /** On the command line of the worker. */
    public List<String> arguments() {
        List<String> all = new ArrayList<>(List.of(
                kind.name(),
                entrant.id(),
                address,
                Integer.toString(connections),
                servers.stream().map(String::valueOf).collect(Collectors.joining(","))));
        all.addAll(words);
        return all;
    }

    static Task of(String... args) {
        return new Task(
                Kind.valueOf(args[0]),
                ComparedLibrary.of(args[1]),
                args[2],
                Integer.parseInt(args[3]),
                Arrays.stream(args[4].split(",", -1))
                        .filter(pid -> !pid.isEmpty())
                        .map(Long::valueOf)
                        .toList(),
                List.of(args).subList(5, args.length));
    }

    int number(int word) {
        return Integer.parseInt(words.get(word));
    }
}
