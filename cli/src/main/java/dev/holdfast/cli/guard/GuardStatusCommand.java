package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.JsonTree;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast guard status}: what is shared, and what was decided about it. */
@Command(
        name = "status",
        description =
                "Shows what apps share: its state, who uses it, whether it should be stopped, and why it was or was not.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
final class GuardStatusCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DATABASE",
            description = "Only this one, with its last decisions: an instance id, or host:port.")
    private Optional<String> database = Optional.empty();

    @Option(names = "--app", paramLabel = "NAME", description = "Only what this app uses.")
    private Optional<String> app = Optional.empty();

    @Mixin
    private GuardTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        List<JsonTree> resources;
        try (Guards guards = target.open()) {
            resources =
                    guards.resources(database).stream().filter(this::isWanted).toList();
        }
        switch (output.format()) {
            case json, yaml -> output.printAll(resources, (json, resource) -> resource.write(json));
            case name ->
                resources.forEach(resource -> output.out().println(GuardText.clean(resource.get("db_identifier"))));
            case table -> {
                if (database.isPresent()) {
                    resources.forEach(this::one);
                } else {
                    all(resources);
                }
            }
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private boolean isWanted(JsonTree resource) {
        return app.map(name -> resource.get("apps").list().stream()
                        .anyMatch(user -> user.get("app").text().equals(name)))
                .orElse(true);
    }

    private void all(List<JsonTree> resources) {
        if (resources.isEmpty()) {
            output.err()
                    .println("No registered app uses a database"
                            + app.map(name -> " as '" + Screen.clean(name) + "'")
                                    .orElse(""));
            return;
        }
        Table table = new Table("DATABASE", "TYPES", "STATE", "STOP FOR", "APPS", "LAST DECISION")
                .flexible("DATABASE", "APPS", "LAST DECISION");
        for (JsonTree resource : resources) {
            table.row(
                    Table.Cell.of(resource.get("db_identifier").text()),
                    Table.Cell.of(types(resource)),
                    Table.Cell.of(state(resource), stateText(resource)),
                    Table.Cell.of(GuardText.joined(resource.get("intents"), "requested_by")),
                    Table.Cell.of(GuardText.joined(resource.get("apps"), "app")),
                    Table.Cell.of(last(resource)));
        }
        output.print(table);
        sayWhatIsOnlyRecorded(resources);
    }

    private void sayWhatIsOnlyRecorded(List<JsonTree> resources) {
        if (resources.stream().anyMatch(GuardText::isRecordedOnly)) {
            output.err()
                    .println(
                            "Recorded only: the actuator of these databases touches nothing, so none is really stopped or"
                                    + " started. Configure guard.actuators and guard.actuator.");
        }
    }

    private static String stateText(JsonTree resource) {
        String only = GuardText.isRecordedOnly(resource)
                        && !resource.get("state").text().equals("unknown")
                ? " (recorded only)"
                : "";
        String needed = resource.get("needed_by").list().stream()
                .map(JsonTree::text)
                .reduce((one, other) -> one + "," + other)
                .map(apps -> ", NEEDED by " + apps)
                .orElse("");
        return resource.get("state").text() + only + needed;
    }

    private static String types(JsonTree resource) {
        return resource.get("types").list().stream().map(JsonTree::text).collect(Collectors.joining(","));
    }

    private static Ink state(JsonTree resource) {
        if (!resource.get("needed_by").list().isEmpty()) {
            return Ink.BAD;
        }
        return switch (resource.get("state").text()) {
            case "running" -> Ink.GOOD;
            case "stopped" -> Ink.QUIET;
            default -> Ink.CAREFUL;
        };
    }

    private static String last(JsonTree resource) {
        List<JsonTree> problems = resource.get("problems").list();
        if (!problems.isEmpty()) {
            return problems.get(0).text();
        }
        return resource.get("decisions").list().stream()
                .findFirst()
                .map(decision -> decision.get("decision").text() + ": "
                        + decision.get("reason").text())
                .orElse("");
    }

    private void one(JsonTree resource) {
        GuardText text = new GuardText(output);
        text.line("Database", output.painted(Ink.STRONG, GuardText.clean(resource.get("db_identifier"))));
        text.line("Types", Screen.clean(types(resource)));
        text.line("State", output.painted(state(resource), Screen.clean(stateText(resource))));
        text.line("Actuator", GuardText.clean(resource.get("actuator")));
        List<JsonTree> intents = resource.get("intents").list();
        if (intents.isEmpty()) {
            text.line("Stop wanted", "no");
        }
        for (JsonTree intent : intents) {
            text.line(
                    "Stop wanted",
                    "by " + GuardText.clean(intent.get("requested_by")) + ", since "
                            + GuardText.clean(intent.get("since")));
        }
        for (JsonTree other : resource.get("same_as").list()) {
            text.line("Same as", GuardText.clean(other) + ", by its address: both count together");
        }
        for (JsonTree problem : resource.get("problems").list()) {
            text.line("Problem", output.painted(Ink.BAD, GuardText.clean(problem)));
        }
        for (JsonTree user : resource.get("apps").list()) {
            text.line("App " + GuardText.clean(user.get("app")), text.sight(user));
        }
        if (!resource.get("decisions").list().isEmpty()) {
            output.out().println();
            text.explained(resource.get("decisions").list());
        }
    }
}
