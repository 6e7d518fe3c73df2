package dev.holdfast.cli.locks;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.CommandFamily;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.cli.text.Prompt;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LockPath;
import dev.holdfast.state.versions.Stack;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The commands of the script {@code deployer}: locks of deployments, as the teams that use it spell and read them. */
@Command(
        name = "deployer",
        hidden = true,
        description = "Looks at the locks of deployments, and ends them.",
        subcommands = {DeployerCommand.State.class, DeployerCommand.Unlock.class},
        exitCodeList = {Codes.OK, Codes.USAGE})
public final class DeployerCommand extends CommandFamily {
    @Command(
            name = "state",
            description = "Looks at the state of deployments.",
            subcommands = StateLocks.class,
            exitCodeList = {Codes.OK, Codes.USAGE})
    static final class State extends CommandFamily {}

    private abstract static class OnDeployment extends PlainCommand {
        @Option(names = "--stack", required = true, paramLabel = "STACK", description = "Name of the stack.")
        private String stack = "";

        @Option(
                names = {"--environment", "--env"},
                required = true,
                paramLabel = "ENVIRONMENT",
                description = "Name of the environment. The lock is in the namespace '" + Stack.NAMESPACE + "'.")
        private String environment = "";

        @Mixin
        private Target target;

        Stack lock() {
            if (spec.commandLine().getParseResult().hasMatchedOption("--namespace")
                    && !target.namespace().orElse("").equals(Stack.NAMESPACE)) {
                throw mistake("Deployments are locked in the namespace '" + Stack.NAMESPACE + "'; leave out -N");
            }
            try {
                return new Stack(stack, environment);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        spec.commandLine(),
                        Screen.clean(e.getMessage() + ". Example: --stack user-platform --environment production"),
                        e);
            }
        }

        LockClient open() {
            return target.openExisting(Operator.config());
        }
    }

    @Command(
            name = "locks",
            description = "Shows whether a deployment is locked, by whom, since when, and whether they are alive.",
            exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
    static final class StateLocks extends OnDeployment {
        @Override
        public Integer call() {
            Stack lock = lock();
            try (LockClient locks = open()) {
                DeployerText.status(out(), lock, locks.inspect().get(lock.lock()));
            }
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "unlock",
            description = {
                "Ends the lock of a deployment by force, once confirmed. The confirmation is read from standard input.",
                "If a service or component is locked alone, name it with --path."
            },
            exitCodeList = {
                Codes.OK,
                Codes.USAGE,
                "3:It is not locked, or by somebody other than the one that was shown.",
                Codes.REFUSED,
                Codes.NOT_CONFIRMED,
                Codes.UNREACHABLE
            })
    static final class Unlock extends OnDeployment {
        @Option(names = "--force", description = "Yes, by force: there is no other way to end another's lock.")
        private boolean force;

        @Option(
                names = {"-y", "--yes"},
                description = "Do not ask.")
        private boolean yes;

        @Option(names = "--path", paramLabel = "PATH", description = "A service, or service/component, locked alone.")
        private Optional<String> path = Optional.empty();

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the history.")
        private Optional<String> reason = Optional.empty();

        @Override
        public Integer call() {
            Stack lock = lock();
            if (!force) {
                throw mistake("Only its holder can release a lock; to end it all the same, add --force");
            }
            try (LockClient locks = open()) {
                LockView view = locks.inspect().get(lock.lock());
                List<Holder> meant = view.holders().stream()
                        .filter(it -> path.map(p -> it.paths().contains(LockPath.of(p)))
                                .orElse(true))
                        .toList();
                if (meant.size() != 1) {
                    return notOne(lock, meant);
                }
                Holder victim = meant.get(0);
                DeployerText.warning(err(), victim, view.at());
                if (!yes && !Prompt.isConfirmed(err(), "Are you sure? (yes/no):", "yes")) {
                    return ExitCodes.NOT_CONFIRMED;
                }
                String why = reason.filter(it -> !it.isBlank()).orElse("deployer unlock by " + Operator.label());
                return told(victim, locks.inspect().forceUnlock(lock.lock(), victim.token(), why));
            }
        }

        private int notOne(Stack lock, List<Holder> meant) {
            String what = "deployer: Stack '" + lock.name() + "' in '" + lock.environment() + "'";
            if (meant.isEmpty()) {
                err().println(what
                        + path.map(it -> " at '" + Screen.clean(it) + "'").orElse("")
                        + " is not locked. Nothing was done");
                return ExitCodes.NOT_HELD;
            }
            err().println(what + " has " + meant.size() + " locks. Say which one with --path:");
            meant.forEach(it -> err().println("  --path "
                    + NextSteps.quoted(it.paths().get(0).value()) + "  " + Screen.clean(it.owner())));
            return ExitCodes.USAGE;
        }

        private int told(Holder victim, Attempt<Holder> forced) {
            if (forced instanceof Attempt.Done<Holder>) {
                out().println("✓ Lock released successfully");
                return ExitCodes.OK;
            }
            err().println("deployer: Meanwhile '" + Screen.clean(victim.owner())
                    + "' does not hold it any more. Nothing was done; look again");
            return ExitCodes.NOT_HELD;
        }
    }
}
