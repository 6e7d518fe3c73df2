package dev.holdfast.cli.state;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.cli.exec.ExecOptions;
import dev.holdfast.cli.exec.ExecPlan;
import dev.holdfast.cli.exec.ExecRun;
import dev.holdfast.cli.exec.HolderOptions;
import dev.holdfast.cli.exec.SignalRelay;
import dev.holdfast.cli.exec.Signals;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.ServerStates;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.DeployLocks;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code holdfast state run}: runs a command while it alone can save the state of a stack. */
@Command(
        name = "run",
        header = "Run a command while the lock of a stack is held.",
        description = {
            "Once it has started, no earlier holder can save the state. If the lock is lost, the command and all"
                    + " its processes are stopped, and what they save is refused.",
            "",
            "The command runs without a shell. Its environment has HOLDFAST_STACK, HOLDFAST_ENVIRONMENT,"
                    + " HOLDFAST_FENCING_TOKEN and HOLDFAST_LEASE_ID, and says where the state is: 'holdfast state pull'"
                    + " and 'holdfast state push' under it need no names, and push saves under the lock that is held.",
            "",
            "Terraform and OpenTofu, with an empty block backend \"http\" {}, use the state of the server under the"
                    + " same lock: TF_HTTP_ADDRESS is set, with the id of the lock, and the lock addresses are"
                    + " removed, so that they do not ask for the lock that is already held. One run may contain"
                    + " several of them."
        },
        footer = {
            "holdfast state run --wait 30m shop production -- terraform apply",
            "holdfast state run --path users/api shop production -- ./deploy-api"
        },
        customSynopsis = "holdfast state run [OPTIONS] STACK ENVIRONMENT -- COMMAND [ARGUMENT...]",
        exitCodeList = {
            "any:The exit code of the command; 128+n if signal n ended it.",
            "1:Something else did not work; the reason is on standard error.",
            "2:The command line or a setting is wrong. The command did not run.",
            "4:The server does not recognise you, or does not allow this.",
            "69:The server or store cannot be reached. The command did not run.",
            "75:Somebody else held the lock, and it was not free in time. The command did not run.",
            "76:The lock was lost while the command ran, and the command was stopped.",
            "126:The command cannot be run.",
            "127:There is no such command."
        })
final class StateRunCommand extends PlainCommand {
    @Mixin
    private StackArgument stacks;

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description =
                    "Only a service, or service/component: others may deploy other parts at the same time. Each push"
                            + " then says which version it changes, and is refused if another part was saved since:"
                            + " pull again, merge, push.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private ExecOptions run;

    @Option(
            names = "--lease",
            paramLabel = "DUR",
            description =
                    "How soon the lock is free if this process dies (default 1h). Stale after 2m without a heartbeat.")
    private Duration lease = DeployLocks.LEASE;

    @Mixin
    private final HolderOptions holder = new HolderOptions();

    @Mixin
    private VisibleLocksOption visible;

    @Mixin
    private StateTarget target;

    @Override
    public Integer call() throws InterruptedException {
        List<String> command = command();
        Stack stack = stacks.stack(command.size());
        DeployKey key = key(stack);
        boolean visibleLocks = visible.on(target);
        ExecPlan plan = plan(key, command);
        SignalRelay signals = new SignalRelay();
        Signals.catchAll(signals::received);
        return run(plan, key, signals, visibleLocks);
    }

    private DeployKey key(Stack stack) {
        try {
            return path.map(DeployKey.of(stack)::at).orElseGet(() -> DeployKey.of(stack));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), Screen.clean("--path: " + e.getMessage()) + ". Example: --path users/api", e);
        }
    }

    private int run(ExecPlan plan, DeployKey key, SignalRelay signals, boolean visibleLocks)
            throws InterruptedException {
        ClientConfig config = ClientConfig.DEFAULT.withOwner(plan.owner());
        List<StateTarget.OpenedState> opened = new ArrayList<>();
        Optional<BaseVersion> base = path.map(part -> BaseVersion.fresh());
        try {
            Function<Lease, Map<String, Optional<String>>> claim =
                    taken -> claimed(opened.get(0).states(), key.stack(), taken, base);
            return new ExecRun(plan, claim, signals, err()).on(() -> {
                StateTarget.OpenedState open = target.open(target.target().openPatiently(config));
                opened.add(open);
                return open.locks();
            });
        } finally {
            base.ifPresent(BaseVersion::delete);
            opened.forEach(open -> open.closeState());
            if (visibleLocks) {
                showEnd(key.stack());
            }
        }
    }

    /** The lock is released by now, and its client closed. The files decide nothing, so they change no exit code. */
    private void showEnd(Stack stack) {
        try (StateTarget.OpenedState open = target.look()) {
            open.states().showLock(stack);
        } catch (RuntimeException e) {
            err().println("holdfast: The files that show the lock of " + StateWords.named(stack)
                    + " could not be brought up to date: " + Screen.clean(String.valueOf(e.getMessage())));
        }
    }

    /** What comes after the sign that ours has ended. */
    private List<String> command() {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        int sign = all.indexOf("--");
        if (sign < 0 || sign == all.size() - 1) {
            throw mistake("Put the command after --, so that its options are not taken for options of holdfast."
                    + " Example: holdfast state run shop production -- terraform apply");
        }
        return List.copyOf(all.subList(sign + 1, all.size()));
    }

    private ExecPlan plan(DeployKey key, List<String> command) throws InterruptedException {
        Map<String, String> shown =
                new LinkedHashMap<>(DeployMetadata.fromEnvironment().asMap());
        shown.putAll(run.metadata());
        return new ExecPlan(
                key.lock(),
                command,
                run.patience(Optional.empty()),
                run.rule(lease),
                ExecPlan.Loss.REPORTED,
                options -> {},
                holder.owner(target.target()),
                holder.reason().orElseGet(() -> "state run " + ExecPlan.programName(command)),
                shown,
                Optional.of(ExitCodes.BUSY),
                Optional.empty(),
                run.isQuiet());
    }

    private Map<String, Optional<String>> claimed(
            StateManager states, Stack stack, Lease taken, Optional<BaseVersion> base) {
        ClaimOutcome claim = states.claim(taken);
        if (claim instanceof StateRefusal refused) {
            throw new CommandException(refused.message(), StateWords.code(refused));
        }
        Map<String, Optional<String>> variables = target.variables();
        variables.put(StackArgument.STACK, Optional.of(stack.name()));
        variables.put(StackArgument.ENVIRONMENT, Optional.of(stack.environment()));
        variables.put(BaseVersion.VARIABLE, base.map(it -> it.file().toString()));
        base.ifPresent(
                file -> file.write(states.load(stack).map(it -> it.version().version())));
        if (target.target().store().isEmpty() && base.isEmpty()) { // terraform knows no parts of a state
            variables.putAll(terraform(target.target().servers(), stack, taken.leaseId()));
        }
        return variables;
    }

    /**
     * What lets terraform and OpenTofu use the state of a server under a lock that is held already: an address that carries the
     * id of the lock with every save, and no address to lock at. They would ask for the lock with an id of their own, and wait for
     * themselves. With an empty block {@code backend "http" {}} they take all of it from the environment.
     */
    private static Map<String, Optional<String>> terraform(ServerConfig servers, Stack stack, LeaseId lease) {
        Map<String, Optional<String>> variables = new LinkedHashMap<>();
        String address = servers.servers().get(0) + ServerStates.path(stack) + "?ID=" + lease.value();
        variables.put("TF_HTTP_ADDRESS", Optional.of(address));
        variables.put("TF_HTTP_UPDATE_METHOD", Optional.of("POST"));
        variables.put("TF_HTTP_LOCK_ADDRESS", Optional.empty());
        variables.put("TF_HTTP_UNLOCK_ADDRESS", Optional.empty());
        servers.token().ifPresent(token -> {
            variables.put(
                    "TF_HTTP_USERNAME", Optional.of("holdfast")); // any name will do: the server looks at the token
            variables.put("TF_HTTP_PASSWORD", Optional.of(token));
        });
        return variables;
    }
}
