package dev.holdfast.cli.locks;

import dev.holdfast.ClientConfig;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.cli.target.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.MomentConverter;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.Rfc3339;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast history}: what happened. */
@Command(
        name = "history",
        description = {
            "Shows what happened to a lock, or to all locks of a namespace or of all namespaces, newest first.",
            "With -o json: tokens, metadata and more. With -o name: the lock of each event, as NAMESPACE:NAME."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
public final class HistoryCommand implements Callable<Integer> {
    public static final int MAX_LIMIT = 1_000_000;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "KEY",
            description = "Name of the lock, or the label its holders gave it.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--event",
            paramLabel = "EVENT",
            converter = TypeOfEvent.class,
            description = "Only this kind, such as released or lock.released.")
    private Optional<EventType> event = Optional.empty();

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Not before: 2026-11-15T10:30:00Z, 2026-11-15, or 2h for two hours ago.")
    private Optional<Instant> from = Optional.empty();

    @Option(names = "--to", paramLabel = "TIME", converter = MomentConverter.class, description = "Before this.")
    private Optional<Instant> to = Optional.empty();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most this many (default ${DEFAULT-VALUE}); says so if there are more.")
    private int limit = 100;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    /** For picocli, which makes converters by their class. */
    static final class TypeOfEvent implements picocli.CommandLine.ITypeConverter<EventType> {
        @Override
        public EventType convert(String text) {
            return EventLine.type(text);
        }
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ParameterException(
                    spec.commandLine(), "--limit must be between 1 and " + MAX_LIMIT + ", was " + limit);
        }
        Optional<LockKey> key = name.map(it -> target.key(it, Optional.empty()));
        List<StoredEvent> found = new ArrayList<>();
        boolean more;
        Optional<RecordStore> store = target.existingStore();
        try (LockClient locks =
                store.map(it -> LockClient.on(it, ClientConfig.DEFAULT)).orElseGet(target::openExisting)) {
            more = collect(locks.inspect(), key, found);
        }
        boolean kept = store.isEmpty() || store.get() instanceof EventLog; // a server does not say
        show(found, kept);
        if (more) {
            output.err()
                    .println("There are older ones. Look further back with --limit, or narrow it with --from and --to");
        }
        return ExitCodes.OK;
    }

    /** Reads page after page; true if there is more than was asked for. */
    private boolean collect(Inspector inspector, Optional<LockKey> key, List<StoredEvent> found) {
        Optional<String> namespace = key.map(LockKey::namespace).or(target::namespace);
        Optional<Long> before = Optional.empty();
        while (true) {
            int page = Math.min(ScanRequest.MAX_LIMIT, limit + 1 - found.size());
            List<StoredEvent> events = inspector.history(
                    new EventQuery(namespace, Optional.empty(), event, from, to, Optional.empty(), before, page)
                            .called(key.map(LockKey::name)));
            found.addAll(events);
            if (found.size() > limit) {
                found.remove(limit);
                return true;
            }
            if (events.size() < page) {
                return false;
            }
            before = Optional.of(events.get(events.size() - 1).number());
        }
    }

    private void show(List<StoredEvent> found, boolean kept) {
        if (!kept) {
            output.err()
                    .println("The store " + target.shown() + " keeps no history: what happened"
                            + name.map(it -> " to '" + it + "'").orElse("")
                            + " cannot be known. What is held now: holdfast ls");
        }
        switch (output.format()) {
            case json, yaml -> output.printAll(found, EventJson::write);
            case name ->
                found.forEach(it -> output.out().println(it.event().key().toString()));
            case table -> {
                if (!found.isEmpty()) {
                    output.print(table(found));
                } else if (kept) {
                    output.err()
                            .println("Nothing is known to have happened"
                                    + name.map(it -> " to '" + it + "'").orElse(""));
                }
            }
        }
        output.out().flush();
    }

    private Table table(List<StoredEvent> found) {
        boolean namespaces = name.isEmpty() && target.namespace().isEmpty();
        Table table = new Table("TIME", "EVENT", "LOCK", "OWNER", "LASTED", "BY", "REASON")
                .flexible("LOCK", "OWNER", "BY", "REASON");
        for (StoredEvent stored : found) {
            LockEvent it = stored.event();
            table.row(
                    Cell.of(Rfc3339.text(it.at()).replaceFirst("\\.\\d+", "")),
                    EventLine.name(it.type()),
                    Cell.of(EventLine.lock(it, namespaces)),
                    Cell.of(it.owner()),
                    Cell.of(EventLine.lasted(it)),
                    Cell.of(EventLine.actor(it)),
                    Cell.of(it.reason()));
        }
        return table;
    }
}
