package dev.holdfast.cli.state;

import dev.holdfast.cli.text.CommandFamily;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code holdfast state}: the state of stacks, which only the holder of a stack's lock can change. */
@Command(
        name = "state",
        header = "Keep the state of deployments: pull, push, diff, run and more.",
        description = {
            "One JSON document for each stack in an environment, with its history. Only the holder of the stack's lock"
                    + " can save. A holder that lost the lock, because it was paused or unlocked, is refused for ever.",
            "",
            "STACK and ENVIRONMENT may also be given as --stack and --environment, or by HOLDFAST_STACK and"
                    + " HOLDFAST_ENVIRONMENT, which 'state run' sets for the commands under it. Stacks are locked in the"
                    + " namespace deploy."
        },
        footer = {
            "holdfast state ls",
            "holdfast state run shop production -- terraform apply",
            "holdfast state diff shop production"
        })
public final class StateCommand extends CommandFamily {
    /** In the order in which help shows them. Added by the program, so that only the one that is named is looked at. */
    public static final List<Class<?>> SUBCOMMANDS = List.of(
            StateLsCommand.class,
            StateShowCommand.class,
            StatePullCommand.class,
            StatePushCommand.class,
            StateHistoryCommand.class,
            StateDiffCommand.class,
            StateBackupCommand.class,
            StateRestoreCommand.class,
            StateVerifyCommand.class,
            StateLocksCommand.class,
            StateUnlockCommand.class,
            StateRunCommand.class);
}
