package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.target.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.LockJson;
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

/** {@code holdfast ls}: who holds what. */
@Command(
        name = "ls",
        description = {
            "Lists locks that are held or waited for, a line for each holder; in all namespaces unless one is named.",
            "With -o name: names, one a line; written NAMESPACE:NAME when no namespace is named."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
public final class LsCommand implements Callable<Integer> {
    public static final int DEFAULT_LIMIT = 10_000;
    public static final int MAX_LIMIT = 1_000_000;

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

    @Parameters(index = "0", arity = "0..1", paramLabel = "PREFIX", description = "Only names that start so.")
    private String prefix = "";

    @Option(names = "--state", paramLabel = "STATE", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private Optional<State> state = Optional.empty();

    @Option(names = "--owner", paramLabel = "NAME", description = "Only locks this owner holds or waits for.")
    private Optional<String> owner = Optional.empty();

    @Option(
            names = {"-a", "--all"},
            description = "Also locks that are free now, as long as they are remembered.")
    private boolean all;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_LIMIT,
            description = "At most this many locks (default ${DEFAULT-VALUE}); says so if there are more.")
    private int limit = DEFAULT_LIMIT;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ParameterException(
                    spec.commandLine(), "--limit must be between 1 and " + MAX_LIMIT + ", was " + limit);
        }
        List<LockView> found = new ArrayList<>();
        boolean more;
        try (LockClient locks = target.openExisting()) {
            more = collect(locks.inspect(), found);
        }
        show(found);
        if (more) {
            output.err()
                    .println("There are more than these " + found.size()
                            + ". Name a prefix or a namespace (-N), or raise --limit");
        }
        return ExitCodes.OK;
    }

    /** Reads page after page; true if the limit was reached before the end. */
    private boolean collect(Inspector inspector, List<LockView> found) {
        ScanRequest request = new ScanRequest(
                target.namespace(), prefix, ScanRequest.Which.ALL, Optional.empty(), ScanRequest.MAX_LIMIT);
        request = all ? request : request.busy();
        while (true) {
            Inspector.Locks page = inspector.list(request);
            for (LockView lock : page.locks()) {
                if (isWanted(lock)) {
                    if (found.size() == limit) {
                        return true;
                    }
                    found.add(lock);
                }
            }
            if (page.next().isEmpty()) {
                return false;
            }
            request = request.from(page.next());
        }
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
        switch (output.format()) {
            case json, yaml -> output.printAll(found, LockJson::lock);
            case name ->
                found.forEach(lock -> output.out()
                        .println(oneNamespace ? lock.key().name() : lock.key().toString()));
            case table -> {
                if (found.isEmpty()) {
                    output.err().println(nothing());
                } else {
                    output.print(LockLines.of(found, !oneNamespace));
                }
            }
        }
        output.out().flush();
    }

    private String nothing() {
        boolean narrowed = !prefix.isEmpty() || state.isPresent() || owner.isPresent();
        return "No lock" + (narrowed ? " like that" : "") + (all ? "" : " is held or waited for")
                + target.namespace().map(it -> " in '" + it + "'").orElse("")
                + (all ? "" : ". With --all, free ones are listed too");
    }
}
