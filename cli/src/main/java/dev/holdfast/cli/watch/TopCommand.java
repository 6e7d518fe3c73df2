package dev.holdfast.cli.watch;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.PagedItems;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.LimitOption;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.Table.Cell;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "top",
        header = "Show the busiest locks, live.",
        description = {
            "For each lock: who waits now, how often it is taken, how long those who took it had waited, and how much of the"
                    + " time it is held. Redrawn whenever something happens, until Ctrl-C; -o json prints it once."
        },
        footer = {"holdfast top", "holdfast top billing: --sort wait", "holdfast top --window 10m -o json"})
public final class TopCommand extends TargetCommand {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int PAGE = 1_000;
    /** What this machine's clock may be ahead of the store's. */
    private static final Duration CLOCKS = Duration.ofMinutes(1);

    private static final int MOST_BUSY = 10_000;
    private static final double MEDIAN = 0.5;
    private static final double RARE = 0.99;

    /** What comes first. The constants are spelled as people type them. */
    enum Order {
        waiting,
        rate,
        wait,
        held;

        private Comparator<Line> comparator() {
            return switch (this) {
                case waiting ->
                    Comparator.comparingInt(Line::waiting)
                            .thenComparing(line -> line.count().acquired());
                case rate -> Comparator.comparingInt(line -> line.count().acquired());
                case wait -> Comparator.comparing(line -> line.count().wait(RARE));
                case held -> Comparator.comparing(Line::held);
            };
        }
    }

    /** One lock: how it is now, if it is held or waited for, and what happened to it in the window. */
    record Line(RecordKey key, Optional<LockView> now, Tally.Count count, Duration held) {
        int waiting() {
            return now.map(it -> it.waiters().size()).orElse(0);
        }

        List<Holder> holders() {
            return now.map(LockView::holders).orElse(List.of());
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "Only locks that start with this: [NAMESPACE:]PREFIX.")
    private String prefix = "";

    @Option(
            names = "--sort",
            paramLabel = "WHAT",
            defaultValue = "waiting",
            description = "What comes first: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private Order order = Order.waiting;

    @Option(
            names = "--window",
            paramLabel = "DUR",
            defaultValue = "1m",
            description = "Count what happened in this period, at most 1h (default ${DEFAULT-VALUE}).")
    private Duration window = Duration.ofMinutes(1);

    @Mixin
    private LiveOptions pace;

    @Mixin
    private LimitOption limits = new LimitOption(20);

    @Override
    protected int run() throws InterruptedException {
        limits.page(PAGE); // before anybody is asked
        if (window.compareTo(Duration.ofSeconds(1)) < 0 || window.compareTo(LONGEST) > 0) {
            throw mistake("--window must be between 1s and 1h");
        }
        Tally tally = new Tally(window);
        try (LockClient locks = target.open()) {
            fill(tally, locks.inspect());
            if (!output.isTable()) {
                List<Line> lines =
                        limits.of(lines(tally, locks.inspect()).stream()).items();
                output.showAll(lines, (json, it) -> json(it).writeTo(json), it -> KeyText.of(it.key()), "", () -> {});
                return ExitCodes.OK;
            }
            new LivePicture(locks, target.shown(), pace, output).run(tally::add, () -> frame(tally, locks.inspect()));
        }
        return ExitCodes.OK;
    }

    /** What happened before this began to look. */
    private void fill(Tally tally, Inspector inspector) {
        Instant from = Instant.now().minus(window).minus(CLOCKS); // the tally goes by the times of the store
        EventQuery newest = EventQuery.newest(PAGE).since(from);
        List<StoredEvent> all = new ArrayList<>(
                PagedItems.events(inspector, newest).limit(Tally.MOST).toList());
        Collections.reverse(all);
        all.forEach(tally::add);
    }

    private LivePicture.Frame frame(Tally tally, Inspector inspector) {
        List<Line> all = lines(tally, inspector);
        String nothing = "No lock is held or waited for, and none was in the last " + Ages.of(window);
        String lines = output.drawn(table(), limits.of(all.stream()).items(), nothing);
        return new LivePicture.Frame(lines, summary(all));
    }

    private String summary(List<Line> lines) {
        Tally.Count all = Tally.Count.of(lines.stream().map(Line::count).toList());
        long held = lines.stream().filter(it -> !it.holders().isEmpty()).count();
        int waiting = lines.stream().mapToInt(Line::waiting).sum();
        return "held " + held + "  waiting " + waiting + "  taken " + rate(all.acquired()) + "  waits p50 "
                + Ages.of(all.wait(MEDIAN)) + " p99 " + Ages.of(all.wait(RARE));
    }

    /** A second, or a minute where that says more. */
    private String rate(int times) {
        double perSecond = times / (window.toMillis() / 1_000.0);
        return perSecond >= 1
                ? String.format(Locale.ROOT, "%.1f/s", perSecond)
                : String.format(Locale.ROOT, "%.1f/min", perSecond * 60);
    }

    private List<Line> lines(Tally tally, Inspector inspector) {
        KeyText.KeyPrefix start = target.start(prefix);
        ScanRequest request = new ScanRequest(
                        start.namespace(), start.rest(), ScanRequest.Which.ALL, Optional.empty(), ScanRequest.MAX_LIMIT)
                .busy();
        Map<RecordKey, LockView> now = new LinkedHashMap<>();
        PagedItems.locks(inspector, request).limit(MOST_BUSY).forEach(lock -> {
            tally.at(lock.at());
            now.put(lock.key(), lock);
        });
        Map<RecordKey, Tally.Count> counts = tally.byLock();
        List<Line> lines = new ArrayList<>();
        now.values().stream()
                .filter(it -> !it.isFree() || !it.waiters().isEmpty())
                .forEach(it -> lines.add(line(it.key(), Optional.of(it), counts)));
        counts.keySet().stream()
                .filter(key -> !now.containsKey(key) && start.matches(key))
                .forEach(key -> lines.add(line(key, Optional.empty(), counts)));
        lines.sort(order.comparator().reversed().thenComparing(Line::key));
        return lines;
    }

    private Line line(RecordKey key, Optional<LockView> now, Map<RecordKey, Tally.Count> counts) {
        Tally.Count count = counts.getOrDefault(key, Tally.Count.NONE);
        Duration held = count.held();
        for (Holder holder : now.map(LockView::holders).orElse(List.of())) {
            held = held.plus(Duration.between(holder.grantedAt(), now.get().at()));
        }
        return new Line(key, now, count, held.compareTo(window) > 0 ? window : held);
    }

    private Table<Line> table() {
        return new Table<Line>()
                .column("KEY", it -> KeyText.of(it.key()))
                .cells(
                        "WAITING",
                        it -> it.waiting() == 0
                                ? Cell.of("")
                                : Cell.of(TextColour.CAREFUL, Integer.toString(it.waiting())))
                .column(
                        "TAKEN",
                        it -> it.count().acquired() == 0 ? "" : rate(it.count().acquired()))
                .column("WAIT P50", it -> waited(it, MEDIAN))
                .column("P99", it -> waited(it, RARE))
                .column("HELD", it -> 100 * it.held().toMillis() / window.toMillis() + "%")
                .cells("HOLDER", TopCommand::holder)
                .dropping("HOLDER", "WAIT P50", "HELD");
    }

    private static String waited(Line line, double part) {
        return line.count().acquired() == 0 ? "" : Ages.of(line.count().wait(part));
    }

    private static Cell holder(Line line) {
        List<Holder> holders = line.holders();
        if (holders.isEmpty()) {
            return Cell.of("");
        }
        String more = holders.size() > 1 ? " +" + (holders.size() - 1) : "";
        String name = holders.get(0).owner() + more;
        return holders.stream().anyMatch(Holder::stale) ? Cell.of(TextColour.BAD, name + " (stale)") : Cell.of(name);
    }

    private Json json(Line line) {
        return Json.build()
                .with("namespace", line.key().namespace())
                .with("name", line.key().name())
                .with("waiting", line.waiting())
                .with("acquired", line.count().acquired())
                .with("wait_p50_ms", line.count().wait(MEDIAN).toMillis())
                .with("wait_p99_ms", line.count().wait(RARE).toMillis())
                .with("held_ms", line.held().toMillis())
                .with("window_ms", window.toMillis())
                .with("owners", Json.array(line.holders(), holder -> Json.of(holder.owner())))
                .build();
    }
}
