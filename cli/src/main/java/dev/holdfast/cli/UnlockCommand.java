package dev.holdfast.cli;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Token;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast unlock}: ends somebody's hold by force, after showing whose it is. */
@Command(
        name = "unlock",
        description = {
            "Ends a hold by force. Shows the holder first and asks: 'yes' for a stale holder, the name of the lock for one",
            "that is not. The holder learns of it at its next renewal; until then only what checks the fencing token is",
            "protected from it. Without a terminal nothing can be asked: add --yes."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            Codes.USAGE,
            "3:Nobody holds it, or another than the one that was shown.",
            Codes.REFUSED,
            Codes.NOT_CONFIRMED,
            Codes.UNREACHABLE
        })
final class UnlockCommand implements Callable<Integer> {
    @Mixin
    private LockArgument lock;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Option(
            names = {"-f", "--force"},
            description = "The holder need not be stale: ask only for 'yes'. Needs --reason.")
    private boolean force;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for the history and for who finds the lock gone.")
    private Optional<String> reason = Optional.empty();

    @Option(names = "--token", paramLabel = "N", description = "The fencing token of the hold, if there are several.")
    private Optional<Long> token = Optional.empty();

    @Option(names = "--path", paramLabel = "PATH", description = "Only a hold of this part of the lock.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        LockKey key = lock.key(target, path);
        if (force && reason.filter(it -> !it.isBlank()).isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--force needs a reason, for who finds the lock gone. Example: --force --reason 'worker-7 was shut down'");
        }
        try (LockClient locks = target.openExisting(Operator.config())) {
            LockView view = locks.inspect().get(key);
            List<Holder> meant = view.holders().stream().filter(this::isMeant).toList();
            if (meant.isEmpty()) {
                output.err().println("holdfast: " + nobody(key, view));
                return ExitCodes.NOT_HELD;
            }
            if (meant.size() > 1) {
                return severalHold(key, view);
            }
            Holder victim = meant.get(0);
            HolderText.print(output, key, view, victim);
            if (!yes && !isConfirmed(key, victim)) {
                return ExitCodes.NOT_CONFIRMED;
            }
            String why = reason.filter(it -> !it.isBlank()).orElse("holdfast unlock by " + Operator.label());
            return told(key, victim, why, locks.inspect().forceUnlock(key, victim.token(), why));
        } finally {
            output.out().flush();
        }
    }

    // ---- whose

    private boolean isMeant(Holder holder) {
        return token.map(it -> holder.token().equals(new Token(it))).orElse(true)
                && path.map(it -> holder.paths().contains(LockPath.of(it))).orElse(true);
    }

    private String nobody(LockKey key, LockView view) {
        if (view.isFree()) {
            return "Nobody holds " + lower(key) + ". Nothing was done";
        }
        return "Nobody holds " + lower(key)
                + token.map(it -> " with token " + it).orElse("") + ". Look who does: "
                + new NextSteps(spec).command("get", key.record());
    }

    private static String lower(LockKey key) {
        return "l" + Refusal.named(key).substring(1);
    }

    private int severalHold(LockKey key, LockView view) {
        output.err()
                .println(
                        "holdfast: " + view.holders().size() + " hold " + lower(key) + ". Say which one with --token:");
        for (Holder holder : view.holders()) {
            output.err()
                    .println("  --token " + holder.token() + "  " + Screen.clean(holder.owner())
                            + Screen.clean(
                                    holder.paths().get(0).isWhole() ? "" : " at " + LockTable.paths(holder.paths()))
                            + ", held for " + Ages.between(holder.grantedAt(), view.at())
                            + (holder.stale() ? ", stale" : ""));
        }
        return ExitCodes.USAGE;
    }

    // ---- really?

    private boolean isConfirmed(LockKey key, Holder victim) {
        if (!Terminal.is(Terminal.STDIN)) {
            output.err()
                    .println("holdfast: Nobody can be asked here. If this hold is to end, add --yes. Nothing was done");
            return false;
        }
        String expected = victim.stale() || force ? "yes" : key.name();
        String question = expected.equals("yes")
                ? "End this hold by force? (yes/no):"
                : "Its holder is not stale and may be working.\n"
                        + "To end the hold all the same, type the name of the lock:";
        if (Question.ask(output.err(), question).filter(expected::equals).isPresent()) {
            return true;
        }
        output.err().println("Not confirmed. Nothing was done");
        return false;
    }

    // ---- what came of it

    private int told(LockKey key, Holder victim, String why, Attempt<Holder> forced) {
        return forced.fold(
                done -> done(key, victim, why),
                busy -> {
                    output.err().println("holdfast: " + changed(key, victim, busy.holders()));
                    return ExitCodes.NOT_HELD;
                },
                lost -> {
                    output.err().println("holdfast: " + changed(key, victim, List.of()));
                    return ExitCodes.NOT_HELD;
                });
    }

    private static String changed(LockKey key, Holder victim, List<Holder> now) {
        String next = now.isEmpty()
                ? "nobody holds it now"
                : "'" + Screen.clean(now.get(0).owner()) + "' does. Look again whether that is still meant";
        return "Meanwhile '" + Screen.clean(victim.owner()) + "' does not hold " + lower(key) + " any more; " + next
                + ". Nothing was done";
    }

    private int done(LockKey key, Holder victim, String why) {
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    json.writeStringField("namespace", key.namespace());
                    json.writeStringField("name", key.name());
                    json.writeStringField("path", victim.paths().get(0).value());
                    json.writeNumberField("fencing_token", victim.token().value());
                    json.writeStringField("owner", victim.owner());
                    json.writeStringField("forced_by", Operator.label());
                    json.writeStringField("reason", why);
                    json.writeEndObject();
                });
            case name -> output.out().println(key.name());
            case table ->
                output.out()
                        .println(output.painted(Ink.GOOD, "✓") + " The hold of '" + Screen.clean(victim.owner())
                                + "' on " + lower(key) + " was ended by force; its token " + victim.token()
                                + " is worth nothing any more");
        }
        return ExitCodes.OK;
    }
}
