package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.report.Part;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast bench peers}: Holdfast beside other lock libraries. */
@Command(
        name = "peers",
        description =
                "Holdfast beside a bare loop of statements, ShedLock, Spring Integration, Redisson, the AWS lock client"
                        + " and Curator, in one run. Starts PostgreSQL, Redis, DynamoDB Local, ZooKeeper and MariaDB itself. Takes up to"
                        + " 45 minutes, with --quick up to five.",
        mixinStandardHelpOptions = true)
final class PeersCommand implements Callable<Integer> {
    private static final List<Part> PARTS =
            Arrays.stream(Part.values()).filter(part -> part != Part.GROWTH).toList();

    @Mixin
    private PeersOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description =
                    "Only these parts, by letter or name: A uncontended, B contended, C renewals, D limit, E embedded,"
                            + " F services, H process.")
    private List<String> only = List.of();

    @Override
    public Integer call() throws Exception {
        List<Part> parts;
        try {
            parts = only.isEmpty()
                    ? PARTS
                    : only.stream().map(Part::of).distinct().sorted().toList();
        } catch (IllegalArgumentException e) {
            return options.mistake("--only takes " + names() + ": " + e.getMessage());
        }
        if (!PARTS.containsAll(parts)) {
            return options.mistake("growth is a command of its own: holdfast bench growth");
        }
        return options.run(parts, PeersCommand::once);
    }

    private static String names() {
        return PARTS.stream().map(part -> part.letter() + " " + part.id()).collect(Collectors.joining(", "));
    }

    private static void once(Part part, Comparison comparison) throws InterruptedException {
        SmallerParts smaller = new SmallerParts(comparison);
        switch (part) {
            case UNCONTENDED -> new UncontendedPart(comparison).once();
            case CONTENDED -> new ContendedPart(comparison).once();
            case RENEWALS -> smaller.renewals();
            case LIMIT -> smaller.limit();
            case EMBEDDED -> smaller.embedded();
            case SERVICES -> smaller.services();
            case PROCESS -> new ProcessPart(comparison).once();
            case GROWTH -> throw new IllegalArgumentException("a command of its own");
        }
    }
}
