package dev.holdfast.cli.state;

import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.Prompt;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.cli.text.TimeConverters;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "restore",
        header = "Make an earlier version of a state current again.",
        description = {
            "It becomes a new version, with a serial above all earlier ones. Shows what will change and asks first;"
                    + " without a terminal, add --yes. Takes the lock itself.",
            "",
            "Only the state is changed, not what it describes: the next plan shows the difference."
        },
        customSynopsis = "holdfast state restore [OPTIONS] (--version VERSION | --at TIME) STACK ENVIRONMENT",
        footer = {
            "holdfast state restore shop production --at 2h",
            "holdfast state restore shop production --at 2026-11-15T10:30"
        },
        exitCodeList = {
            Codes.USUAL,
            "1:There is no such version, or it is damaged.",
            "2:The command line is wrong, or --yes is missing where there is no terminal.",
            Codes.NOT_CONFIRMED,
            Codes.BUSY
        })
final class StateRestoreCommand extends StackCommand {
    static final class VersionChoice {
        @Option(names = "--version", paramLabel = "VERSION", description = "The version, as 'state history' lists it.")
        private Optional<String> version = Optional.empty();

        @Option(
                names = {"--at", "--timestamp"},
                paramLabel = "TIME",
                converter = TimeConverters.OfPointInTime.class,
                description =
                        "The newest version saved by the end of this second, minute or day, as precise as it is given:"
                                + " 2026-11-15T10:30:00Z, 2026-11-15T10:30, 2026-11-15 (UTC), or 2h for two hours ago.")
        private Optional<PointInTime> time = Optional.empty();
    }

    @ArgGroup(multiplicity = "0..1") // that one is needed is said in our own words
    private VersionChoice which = new VersionChoice();

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Override
    protected int run() {
        Stack stack = stacks.stack();
        if (which.version.isEmpty() && which.time.isEmpty()) {
            throw mistake("Say which version, with --version or --at. List them: holdfast state history " + stack.name()
                    + " " + stack.environment());
        }
        try (StateTarget.OpenedState open = target.look()) {
            StateManager states = open.states();
            Optional<String> version =
                    which.version.or(() -> which.time.flatMap(time -> newestUntil(states, stack, time)));
            Optional<byte[]> wanted =
                    version.flatMap(it -> states.version(stack, it).map(LoadedState::content));
            if (version.isEmpty() || wanted.isEmpty()) {
                return StateWords.noVersion(
                        output,
                        stack,
                        version.or(() -> which.time.map(it -> "at " + it)).orElse(""));
            }
            preview(states, stack, wanted.get());
            int asked = yes ? ExitCodes.OK : asked(stack, version.get());
            if (asked != ExitCodes.OK) {
                return asked;
            }
            RestoreOutcome outcome = states.restore(stack, version.get(), Provenance.of(Operator.label(), "restore"));
            return told(stack, version.get(), outcome);
        }
    }

    /** Looked for here, so that what is shown is what will be restored. */
    private Optional<String> newestUntil(StateManager states, Stack stack, PointInTime time) {
        List<StateVersion> found = StateTarget.versions(states, stack, StateManager.MAX_PAGE)
                .filter(version -> version.savedAt().isBefore(time.until()))
                .limit(2)
                .toList();
        if (found.size() > 1) {
            tellOfOthers(found.get(0), found.get(1), time);
        }
        return found.stream().findFirst().map(StateVersion::version);
    }

    /** A day or a second may have seen several versions; who means another one has to name it. */
    private void tellOfOthers(StateVersion taken, StateVersion before, PointInTime time) {
        boolean several =
                !taken.savedAt().isBefore(time.from()) && !before.savedAt().isBefore(time.from());
        if (several) {
            output.say("There are several versions of " + time + "; this is about the newest, " + taken.version()
                    + ". Name another one with --version");
        }
    }

    /** Asks; the exit code if it is not to be. */
    private int asked(Stack stack, String version) {
        if (!Terminal.is(Terminal.STDIN)) {
            output.say("holdfast: There is no terminal to ask at. If you mean this, add --yes. Nothing was done");
            return ExitCodes.USAGE;
        }
        String question = "Make version " + version + " the state of " + StateWords.named(stack) + "? (yes/no):";
        return Prompt.isConfirmed(output.err(), question, "yes") ? ExitCodes.OK : ExitCodes.NOT_CONFIRMED;
    }

    private void preview(StateManager states, Stack stack, byte[] wanted) {
        try {
            byte[] current = states.load(stack).map(LoadedState::content).orElse(new byte[] {'{', '}'});
            new DiffText(StateDiff.between(current, wanted)).print(output.err(), output::paintedTalk);
        } catch (StateCorruptException e) {
            output.say("The current state is damaged, so what will change cannot be shown: " + e.getMessage());
        }
    }

    private int told(Stack stack, String version, RestoreOutcome outcome) {
        if (outcome instanceof StateRefusal refused) {
            return StateWords.refused(output, refused);
        }
        if (!(outcome instanceof RestoreOutcome.Restored restored)) {
            return StateWords.noVersion(output, stack, version);
        }
        StateVersion now = restored.version();
        Json answer = Json.build()
                .with("version", now.version())
                .with("serial", now.serial())
                .with("restored", version)
                .build();
        output.show(
                answer::writeTo,
                Stream.of(now.version()),
                () -> output.done("Version " + version + " is the state of " + StateWords.named(stack)
                        + " again, as version " + now.version() + ", serial " + now.serial()));
        return ExitCodes.OK;
    }
}
