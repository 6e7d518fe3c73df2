package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.PagedItems;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.LimitOption;
import dev.holdfast.cli.text.LimitOption.Listing;
import dev.holdfast.cli.text.TimesOption;
import dev.holdfast.cli.watch.LiveOptions;
import dev.holdfast.cli.watch.LivePicture;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.LockJson;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "ls",
        header = "List the locks that are held or waited for.",
        description = {
            "One line per holder; in all namespaces, unless one is named.",
            "With --watch: live, redrawn whenever something changes, until Ctrl-C."
        },
        footer = {
            "holdfast ls",
            "holdfast ls --watch",
            "holdfast ls billing:inv",
            "holdfast ls --state stale -o wide",
            "holdfast ls --owner ci-runner-5 -o json"
        })
public final class LsCommand extends TargetCommand {
    /** What goes on at a lock. The constants are spelled as people type them. */
    enum State {
        held,
        stale,
        waiting;

        boolean matches(LockView lock) {
            return switch (this) {
                case held -> !lock.isFree();
                case stale -> lock.holders().stream().anyMatch(Holder::stale);
                case waiting -> !lock.waiters().isEmpty();
            };
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "Only locks that start with this: [NAMESPACE:]PREFIX.")
    private String prefix = "";

    @Option(names = "--state", paramLabel = "STATE", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private Optional<State> state = Optional.empty();

    @Option(names = "--owner", paramLabel = "NAME", description = "Only locks this owner holds or waits for.")
    private Optional<String> owner = Optional.empty();

    @Option(
            names = {"-a", "--all"},
            description = "Also locks that are free now, while they are remembered.")
    private boolean all;

    @Option(
            names = {"-W", "--watch"},
            description = "Show it live.")
    private boolean live;

    @Mixin
    private LiveOptions pace;

    @Mixin
    private TimesOption times;

    @Mixin
    private LimitOption limits = new LimitOption(10_000);

    @Override
    protected int run() throws InterruptedException {
        limits.page(ScanRequest.MAX_LIMIT); // before anybody is asked
        if (live) {
            return watch();
        }
        Listing<LockView> found;
        try (LockClient locks = target.openExisting()) {
            found = look(locks);
        }
        output.showAll(
                found.items(),
                LockJson::lock,
                lock -> KeyText.of(lock.key()),
                nothing(),
                () -> output.print(LockLines.table(times), LockLines.of(found.items())));
        if (found.more()) {
            output.say(more());
        }
        return ExitCodes.OK;
    }

    private int watch() throws InterruptedException {
        if (!output.isTable()) {
            throw mistake("--watch shows a table. For programs there is a stream of events: holdfast watch -o "
                    + output.format());
        }
        try (LockClient locks = target.open()) {
            new LivePicture(locks, target.shown(), pace, output).run(() -> {
                Listing<LockView> found = look(locks);
                String lines = output.drawn(LockLines.table(times), LockLines.of(found.items()), nothing());
                return new LivePicture.Frame(lines, found.more() ? more() : "");
            });
        }
        return ExitCodes.OK;
    }

    private Listing<LockView> look(LockClient locks) {
        return limits.of(all(locks.inspect()).filter(this::isWanted));
    }

    private static String more() {
        return "There are more. Name a prefix or a namespace (-N), or raise --limit";
    }

    private Stream<LockView> all(Inspector inspector) {
        KeyText.KeyPrefix start = target.start(prefix);
        ScanRequest request = new ScanRequest(
                start.namespace(), start.rest(), ScanRequest.Which.ALL, Optional.empty(), ScanRequest.MAX_LIMIT);
        return PagedItems.locks(inspector, all ? request : request.busy());
    }

    /** A lock whose last lease has just run out is among the busy ones until somebody looks at it. */
    private boolean isWanted(LockView lock) {
        return (all || !lock.isFree() || !lock.waiters().isEmpty())
                && state.map(it -> it.matches(lock)).orElse(true)
                && owner.map(it -> isBy(lock, it)).orElse(true);
    }

    private static boolean isBy(LockView lock, String owner) {
        return lock.holders().stream().anyMatch(it -> it.owner().equals(owner))
                || lock.waiters().stream().anyMatch(it -> it.owner().equals(owner));
    }

    private String nothing() {
        KeyText.KeyPrefix start = target.start(prefix);
        boolean narrowed = !start.rest().isEmpty() || state.isPresent() || owner.isPresent();
        return "No lock" + (narrowed ? " like that" : "") + (all ? "" : " is held or waited for")
                + start.namespace().map(it -> " in '" + it + "'").orElse("")
                + (all ? "" : ". With --all, free ones are listed too");
    }
}
