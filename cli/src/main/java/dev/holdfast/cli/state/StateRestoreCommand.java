package dev.holdfast.cli.state;

import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.PointInTimeConverter;
import dev.holdfast.cli.text.Prompt;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Refused;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateVersion;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast state restore}: makes an earlier version current again, after showing what that changes. */
@Command(
        name = "restore",
        description = {
            "Makes an earlier version of a state current again: as a new version, with a serial above all earlier ones.",
            "Shows what will change and asks; without a terminal nothing can be asked: add --yes. Takes the lock itself.",
            "Only the state is changed, not what it describes: the next plan shows the difference."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            Codes.OK,
            "1:There is no such version, or it is damaged.",
            "2:Something on the command line is wrong, or nobody can be asked and --yes is missing.",
            Codes.REFUSED,
            Codes.NOT_CONFIRMED,
            Codes.UNREACHABLE,
            Codes.BUSY
        })
final class StateRestoreCommand implements Callable<Integer> {
    @Mixin
    private StackArgument stacks;

    /** One of them. */
    static final class Which {
        @Option(names = "--version", paramLabel = "VERSION", description = "The version, as 'state history' lists it.")
        private Optional<String> version = Optional.empty();

        @Option(
                names = {"--at", "--timestamp"},
                paramLabel = "TIME",
                converter = PointInTimeConverter.class,
                description =
                        "The newest version saved by the end of this second, minute or day, as precise as it is given:"
                                + " 2026-11-15T10:30:00Z, 2026-11-15T10:30, 2026-11-15 (UTC), or 2h for two hours ago.")
        private Optional<PointInTime> time = Optional.empty();
    }

    @ArgGroup(multiplicity = "0..1") // that one is needed is said in our own words
    private Which which = new Which();

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Mixin
    private StateTarget target;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Stack stack = stacks.stack();
        if (which.version.isEmpty() && which.time.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Say which version, with --version or --at. List them: holdfast state history " + stack.name() + " "
                            + stack.environment());
        }
        try (StateTarget.Open open = target.look()) {
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
        Optional<StateVersion> found = Optional.empty();
        Optional<String> cursor = Optional.empty();
        do {
            HistoryPage page = states.history(stack, StateManager.MAX_PAGE, cursor);
            for (StateVersion version : page.versions()) {
                if (found.isPresent()) {
                    tellOfOthers(found.get(), version, time);
                    return found.map(StateVersion::version);
                }
                found = Optional.of(version).filter(it -> it.savedAt().isBefore(time.until()));
            }
            cursor = page.next();
        } while (cursor.isPresent());
        return found.map(StateVersion::version);
    }

    /** A day or a second may have seen several versions; who means another one has to name it. */
    private void tellOfOthers(StateVersion taken, StateVersion before, PointInTime time) {
        boolean several =
                !taken.savedAt().isBefore(time.from()) && !before.savedAt().isBefore(time.from());
        if (several) {
            output.err()
                    .println("There are several versions of " + time + "; this is about the newest, " + taken.version()
                            + ". Name another one with --version");
        }
    }

    /** Asks; the exit code if it is not to be. */
    private int asked(Stack stack, String version) {
        if (!Terminal.is(Terminal.STDIN)) {
            output.err().println("holdfast: Nobody can be asked here. If this is meant, add --yes. Nothing was done");
            return ExitCodes.USAGE;
        }
        String question = "Make version " + version + " the state of " + StateWords.named(stack) + "? (yes/no):";
        if (Prompt.ask(output.err(), question).filter("yes"::equals).isPresent()) {
            return ExitCodes.OK;
        }
        output.err().println("Not confirmed. Nothing was done");
        return ExitCodes.NOT_CONFIRMED;
    }

    private void preview(StateManager states, Stack stack, byte[] wanted) {
        try {
            byte[] current = states.load(stack).map(LoadedState::content).orElse(new byte[] {'{', '}'});
            new DiffText(StateDiff.between(current, wanted)).print(output.err(), output::paintedTalk);
        } catch (StateCorruptException e) {
            output.err()
                    .println("The current state is damaged, so what will change cannot be shown: " + e.getMessage());
        }
    }

    private int told(Stack stack, String version, RestoreOutcome outcome) {
        if (outcome instanceof Refused refused) {
            return StateWords.refused(output, refused);
        }
        if (!(outcome instanceof RestoreOutcome.Restored restored)) {
            return StateWords.noVersion(output, stack, version);
        }
        StateVersion now = restored.version();
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    json.writeStringField("version", now.version());
                    json.writeNumberField("serial", now.serial());
                    json.writeStringField("restored", version);
                    json.writeEndObject();
                });
            case name -> output.out().println(now.version());
            case table ->
                output.out()
                        .println(output.painted(Ink.GOOD, "✓") + " Version " + version + " is the state of "
                                + StateWords.named(stack) + " again, as version " + now.version() + ", serial "
                                + now.serial());
        }
        output.out().flush();
        return ExitCodes.OK;
    }
}
