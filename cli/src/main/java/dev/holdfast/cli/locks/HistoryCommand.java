package dev.holdfast.cli.locks;

import dev.holdfast.ClientConfig;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.PagedItems;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.LimitOption;
import dev.holdfast.cli.text.LimitOption.Listing;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TimeConverters;
import dev.holdfast.cli.text.TimesOption;
import dev.holdfast.cli.watch.EventLine;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.EventJson;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "history",
        header = "Show what happened to a lock, newest first.",
        description = {
            "Without a name: all locks of the namespace, or of all namespaces if none is named.",
            "With -o json: also tokens and metadata. With -o name: the lock of each event, as NAMESPACE:NAME."
        },
        footer = {
            "holdfast history deploy-web",
            "holdfast history -N deploy --from 2h",
            "holdfast history --event released --limit 10"
        })
public final class HistoryCommand extends TargetCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "KEY",
            description = "The lock: [NAMESPACE:]NAME, or the label its holders gave it.")
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
            converter = TimeConverters.OfMoment.class,
            description = "Not before: 2026-11-15T10:30:00Z, 2026-11-15, or 2h for two hours ago.")
    private Optional<Instant> from = Optional.empty();

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeConverters.OfMoment.class,
            description = "Before this.")
    private Optional<Instant> to = Optional.empty();

    @Mixin
    private TimesOption times;

    @Mixin
    private LimitOption limits = new LimitOption(100);

    /** The event with this name, with or without {@code lock.}. */
    static final class TypeOfEvent implements ITypeConverter<EventType> {
        @Override
        public EventType convert(String text) {
            return Arrays.stream(EventType.values())
                    .filter(type -> type.label().equals(text)
                            || type.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(
                            () -> new TypeConversionException("'" + text + "' is not an event of a lock. There are "
                                    + Arrays.stream(EventType.values())
                                            .map(EventType::label)
                                            .collect(Collectors.joining(", "))));
        }
    }

    @Override
    protected int run() {
        int page = limits.page(ScanRequest.MAX_LIMIT);
        Optional<LockKey> key = name.map(it -> target.key(it, Optional.empty()));
        Listing<StoredEvent> found;
        Optional<RecordStore> store = target.existingStore();
        try (LockClient locks =
                store.map(it -> LockClient.on(it, ClientConfig.DEFAULT)).orElseGet(target::openExisting)) {
            found = limits.of(events(locks.inspect(), key, page));
        }
        boolean kept = store.isEmpty() || store.get() instanceof EventLog; // a server does not say
        show(found.items(), kept);
        if (found.more()) {
            output.say("There are older ones. Raise --limit to see more, or narrow it with --from and --to");
        }
        return ExitCodes.OK;
    }

    private Stream<StoredEvent> events(Inspector inspector, Optional<LockKey> key, int page) {
        Optional<String> namespace = key.map(LockKey::namespace).or(target::namespace);
        EventQuery newest =
                new EventQuery(namespace, Optional.empty(), event, from, to, Optional.empty(), Optional.empty(), page);
        return PagedItems.events(inspector, newest.called(key.map(LockKey::name)));
    }

    private void show(List<StoredEvent> found, boolean kept) {
        String what = name.map(it -> " to '" + it + "'").orElse("");
        if (!kept) {
            output.say("The store " + target.shown() + " keeps no history: what happened" + what
                    + " cannot be known. What is held now: holdfast ls");
        }
        if (kept || !found.isEmpty() || !output.isTable()) {
            output.showAll(
                    found,
                    EventJson::write,
                    it -> KeyText.of(it.event().key()),
                    "Nothing is known to have happened" + what,
                    () -> output.print(table(), found));
        }
    }

    private Table<StoredEvent> table() {
        Instant now = Instant.now(); // of this machine: nobody asks the store for its time to show how long ago
        return new Table<StoredEvent>()
                .column("TIME", it -> times.at(it.event().at(), now))
                .cells("EVENT", it -> EventLine.name(it.event().type()))
                .column("KEY", it -> EventLine.lock(it.event()))
                .flexible("OWNER", it -> it.event().owner())
                .column("LASTED", it -> EventLine.lasted(it.event()))
                .flexible("BY", it -> EventLine.actor(it.event()))
                .flexible("REASON", it -> it.event().reason())
                .dropping("REASON", "BY", "LASTED", "OWNER");
    }
}
