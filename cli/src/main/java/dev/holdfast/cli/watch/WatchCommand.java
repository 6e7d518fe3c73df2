package dev.holdfast.cli.watch;

import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LockEvent;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.Rfc3339;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "watch",
        header = "Print what happens to locks, as it happens.",
        description = {
            "In all namespaces, unless one is named. Ctrl-C ends it.",
            "With -o json: one object per line, with the fields of 'holdfast history'."
        },
        footer = {"holdfast watch", "holdfast watch -N deploy --prefix stack:shop", "holdfast watch --count 1 -o json"},
        exitCodeList = {
            Codes.USUAL,
            "0:As many events as --count asks for have come, or the output was closed.",
            "130:Ended with Ctrl-C."
        })
public final class WatchCommand extends TargetCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "Only locks that start with this: [NAMESPACE:]PREFIX.")
    private String prefix = "";

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "Like PREFIX, but ':' and '/' are part of the name.")
    private String namePrefix = "";

    @Option(names = "--count", paramLabel = "N", description = "End after this many events.")
    private long count = Long.MAX_VALUE;

    private final CountDownLatch over = new CountDownLatch(1);

    @Override
    protected int run() throws InterruptedException {
        if (count < 1) {
            throw mistake("--count must be at least 1");
        }
        try (LockClient locks = target.open()) {
            LockClient.Subscription watching = locks.watch(this::happened);
            output.say("Watching " + target.shown() + ". Ctrl-C ends it");
            output.err().flush();
            ConnectionNews connection = new ConnectionNews(watching, target.shown(), output::say);
            while (!over.await(ConnectionNews.LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                connection.look();
            }
            watching.close();
        }
        return ExitCodes.OK;
    }

    /** Called by one thread at a time. */
    private void happened(StoredEvent stored) {
        LockEvent event = stored.event();
        boolean wanted =
                target.start(prefix).matches(event.key()) && event.key().name().startsWith(namePrefix);
        if (!wanted || count <= 0) {
            return;
        }
        switch (output.format()) {
            case json, yaml, value -> output.printNext(json -> EventJson.write(json, stored));
            case name -> output.println(KeyText.of(event.key()));
            case table, wide -> output.println(line(event));
        }
        count--;
        if (count <= 0 || output.out().checkError()) {
            over.countDown(); // enough, or the reader is gone, as with: holdfast watch | head -1
        }
    }

    private String line(LockEvent event) {
        String type = String.format(Locale.ROOT, "%-14s", event.type().label());
        String painted = EventLine.ink(event.type())
                .map(ink -> output.painted(ink, type))
                .orElse(type);
        String actor = EventLine.actor(event);
        String rest = Stream.of(
                        EventLine.lock(event) + "  " + event.owner(),
                        EventLine.lasted(event),
                        actor.isEmpty() ? "" : "by " + actor,
                        event.reason())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        return Rfc3339.text(event.at()) + "  " + painted + "  " + Screen.clean(rest);
    }
}
