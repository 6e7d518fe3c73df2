package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.LimitOption;
import dev.holdfast.cli.text.LimitOption.Listing;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.LockJson;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast ls}: who holds what. */
@Command(
        name = "ls",
        description = {
            "Lists locks that are held or waited for, a line for each holder; in all namespaces unless one is named.",
            "With -o name: names, one a line; written NAMESPACE:NAME when no namespace is named."
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

    @Parameters(index = "0", arity = "0..1", paramLabel = "PREFIX", description = "Only names that start with this.")
    private String prefix = "";

    @Option(names = "--state", paramLabel = "STATE", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private Optional<State> state = Optional.empty();

    @Option(names = "--owner", paramLabel = "NAME", description = "Only locks this owner holds or waits for.")
    private Optional<String> owner = Optional.empty();

    @Option(
            names = {"-a", "--all"},
            description = "Also locks that are free now, as long as they are remembered.")
    private boolean all;

    @Mixin
    private LimitOption limits = new LimitOption(10_000);

    @Override
    protected int run() {
        limits.page(ScanRequest.MAX_LIMIT); // before anybody is asked
        Listing<LockView> found;
        try (LockClient locks = target.openExisting()) {
            found = limits.of(all(locks.inspect()).filter(this::isWanted));
        }
        show(found.items());
        if (found.more()) {
            output.say("There are more. Name a prefix or a namespace (-N), or raise --limit");
        }
        return ExitCodes.OK;
    }

    private Stream<LockView> all(Inspector inspector) {
        ScanRequest request = new ScanRequest(
                target.namespace(), prefix, ScanRequest.Which.ALL, Optional.empty(), ScanRequest.MAX_LIMIT);
        return LockLines.all(inspector, all ? request : request.busy());
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

    private void show(List<LockView> found) {
        boolean oneNamespace = target.namespace().isPresent();
        output.showAll(
                found,
                LockJson::lock,
                lock -> oneNamespace ? lock.key().name() : lock.key().toString(),
                nothing(),
                () -> output.print(LockLines.table(!oneNamespace), LockLines.of(found)));
    }

    private String nothing() {
        boolean narrowed = !prefix.isEmpty() || state.isPresent() || owner.isPresent();
        return "No lock" + (narrowed ? " like that" : "") + (all ? "" : " is held or waited for")
                + target.namespace().map(it -> " in '" + it + "'").orElse("")
                + (all ? "" : ". With --all, free ones are listed too");
    }
}
