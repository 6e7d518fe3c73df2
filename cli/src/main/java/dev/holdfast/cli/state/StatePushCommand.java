package dev.holdfast.cli.state;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.exec.LockWait;
import dev.holdfast.cli.locks.RefusalText;
import dev.holdfast.cli.state.access.StateHead;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast state push}: saves a state, under a lock it takes for that, or under that of the {@code state run} around it. */
@Command(
        name = "push",
        header = "Save a file as the state of a stack.",
        description = {
            "FILE may be - for standard input. Takes the lock while it saves. Under 'holdfast state"
                    + " run' of the same stack it saves under the lock that is held already, and is refused once that is"
                    + " lost.",
            "",
            "Refuses a state of another lineage, one with a lower serial, and a different one with the same"
                    + " serial."
        },
        footer = {
            "holdfast state push shop production state.json",
            "jq '.serial += 1' state.json | holdfast state push shop production -"
        },
        customSynopsis = "holdfast state push [OPTIONS] STACK ENVIRONMENT FILE",
        exitCodeList = {
            Codes.USUAL,
            "6:Its lineage or serial does not follow the current one; nothing was saved.",
            Codes.BUSY,
            "76:The lock of the enclosing 'state run' is lost; nothing was saved."
        })
final class StatePushCommand extends StackCommand {
    /** No store keeps more; a server refuses earlier. */
    private static final int MOST = 1 << 30;

    private static final String REASON = "state push";

    @Option(
            names = {"-f", "--force"},
            description = "Save regardless of lineage and serial. The lock is still needed.")
    private boolean force;

    @Option(
            names = "--base",
            paramLabel = "VERSION",
            description = "Save only if this version is still the current one; 'none' if there must be no state yet."
                    + " Default under 'state run --path': the version last pulled or saved in it.")
    private Optional<String> base = Optional.empty();

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "DUR",
            defaultValue = "0s",
            description = "Wait at most this long for the lock (default: do not wait).")
    private Duration wait = Duration.ZERO;

    @Override
    protected int run() throws InterruptedException {
        Stack stack = stacks.stack(1);
        String file = stacks.others(1).get(0);
        byte[] bytes = read(file);
        StateHead head = StateHead.of(file.equals("-") ? "What came" : "'" + file + "'", bytes);
        String owner = Operator.label();
        try (StateTarget.OpenedState open = target.open(owner)) {
            Optional<LeaseId> outer = OuterRun.lease(stack);
            if (outer.isPresent()) {
                return save(open.states(), stack, outer.get(), bytes, head);
            }
            Attempt<Lease> attempt = taken(open.locks(), stack, owner);
            if (attempt instanceof Attempt.Busy<Lease> busy) {
                output.say(new RefusalText(spec, stack.lock())
                        .text(open.locks().inspect().get(stack.lock()), busy));
                return ExitCodes.BUSY;
            }
            try (Lease lease = attempt.orThrow()) {
                ClaimOutcome claim = open.states().claim(lease);
                return claim instanceof StateRefusal refused
                        ? StateWords.refused(output, refused)
                        : save(open.states(), stack, lease.leaseId(), bytes, head);
            }
        }
    }

    private static byte[] read(String file) {
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(MOST);
            if (in.read() >= 0) {
                throw new IllegalArgumentException("'" + file + "' is larger than any state may be");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("There is no file '" + file + "'", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + file + "' cannot be read: " + e.getMessage(), e);
        }
    }

    private Attempt<Lease> taken(LockClient locks, Stack stack, String owner) throws InterruptedException {
        LockWait.WantedLock wanted = new LockWait.WantedLock(
                stack.lock(),
                owner,
                Optional.of(wait),
                false,
                (options, waiting) -> options.waitUpTo(waiting).owner(owner).reason(REASON));
        return new LockWait(locks, wanted, stop -> {}, output.err())
                .get()
                .orElseThrow(() -> new IllegalStateException("nothing ends this wait early"));
    }

    /** Judged under the lock, so that nobody saves between the look and the save. */
    private int save(StateManager states, Stack stack, LeaseId lease, byte[] bytes, StateHead head) {
        Optional<StateVersion> current = force ? Optional.empty() : StateTarget.current(states, stack);
        if (current.isPresent()) {
            boolean same = states.load(stack)
                    .map(LoadedState::content)
                    .map(it -> Arrays.equals(it, bytes))
                    .orElse(false);
            Optional<String> objection = head.objection(current.get(), same);
            if (objection.isPresent()) {
                output.say("holdfast: The state of " + StateWords.named(stack) + " was not saved: " + objection.get()
                        + ". Look at what would change, or insist with --force");
                return ExitCodes.CHECK_SAID_NO;
            }
        }
        SaveOutcome outcome = saved(states, stack, lease, bytes);
        if (outcome instanceof StateRefusal refused) {
            return StateWords.refused(output, refused);
        }
        StateVersion saved =
                outcome instanceof SaveOutcome.Saved it ? it.version() : ((SaveOutcome.Repeated) outcome).version();
        partBase(stack).ifPresent(file -> file.write(Optional.of(saved.version())));
        show(stack, saved);
        return ExitCodes.OK;
    }

    private SaveOutcome saved(StateManager states, Stack stack, LeaseId lease, byte[] bytes) {
        Provenance by = Provenance.of(Operator.label(), REASON);
        if (base.isPresent()) {
            return states.saveOver(stack, lease, base.filter(it -> !it.equals("none")), bytes, by);
        }
        if (OuterRun.partLease(stack).isEmpty()) {
            return states.save(stack, lease, bytes, by);
        }
        BaseVersion file = partBase(stack)
                .orElseThrow(() -> new IllegalArgumentException("Only a part of " + StateWords.named(stack)
                        + " is held here, and others save other parts. Name with --base the version"
                        + " that this changes"));
        return states.saveOver(stack, lease, file.read(), bytes, by);
    }

    private static Optional<BaseVersion> partBase(Stack stack) {
        return OuterRun.partLease(stack).flatMap(part -> BaseVersion.outer());
    }

    private void show(Stack stack, StateVersion saved) {
        output.show(
                json -> StateJson.object(json, saved),
                Stream.of(saved.version()),
                () -> output.done("Saved the state of " + StateWords.named(stack) + ": " + StateWords.version(saved)));
    }
}
