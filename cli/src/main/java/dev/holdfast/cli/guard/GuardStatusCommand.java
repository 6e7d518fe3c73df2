package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.json.Json;
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
        List<Json> resources;
        try (GuardAnswers guards = target.open()) {
            resources =
                    guards.resources(database).stream().filter(this::isWanted).toList();
        }
        switch (output.format()) {
            case json, yaml -> output.printAll(resources, (json, resource) -> resource.writeTo(json));
            case name ->
                resources.forEach(resource -> output.out().println(GuardText.clean(resource.at("db_identifier"))));
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

    private boolean isWanted(Json resource) {
        return app.map(name -> resource.at("apps").items().stream()
                        .anyMatch(user -> user.at("app").plain().equals(name)))
                .orElse(true);
    }

    private void all(List<Json> resources) {
        if (resources.isEmpty()) {
            output.err()
                    .println("No registered app uses a database"
                            + app.map(name -> " as '" + Screen.clean(name) + "'")
                                    .orElse(""));
            return;
        }
        Table table = new Table("DATABASE", "TYPES", "STATE", "STOP FOR", "APPS", "LAST DECISION")
                .flexible("DATABASE", "APPS", "LAST DECISION");
        for (Json resource : resources) {
            table.row(
                    Table.Cell.of(resource.at("db_identifier").plain()),
                    Table.Cell.of(types(resource)),
                    Table.Cell.of(state(resource), stateText(resource)),
                    Table.Cell.of(GuardText.joined(resource.at("intents"), "requested_by")),
                    Table.Cell.of(GuardText.joined(resource.at("apps"), "app")),
                    Table.Cell.of(last(resource)));
        }
        output.print(table);
        sayWhatIsOnlyRecorded(resources);
    }

    private void sayWhatIsOnlyRecorded(List<Json> resources) {
        if (resources.stream().anyMatch(GuardText::isRecordedOnly)) {
            output.err()
                    .println(
                            "Recorded only: the actuator of these databases touches nothing, so none is really stopped or"
                                    + " started. Configure guard.actuators and guard.actuator.");
        }
    }

    private static String stateText(Json resource) {
        String only = GuardText.isRecordedOnly(resource)
                        && !resource.at("state").plain().equals("unknown")
                ? " (recorded only)"
                : "";
        String needed = resource.at("needed_by").items().stream()
                .map(Json::plain)
                .reduce((one, other) -> one + "," + other)
                .map(apps -> ", NEEDED by " + apps)
                .orElse("");
        return resource.at("state").plain() + only + needed;
    }

    private static String types(Json resource) {
        return resource.at("types").items().stream().map(Json::plain).collect(Collectors.joining(","));
    }

    private static Ink state(Json resource) {
        if (!resource.at("needed_by").items().isEmpty()) {
            return Ink.BAD;
        }
        return switch (resource.at("state").plain()) {
            case "running" -> Ink.GOOD;
            case "stopped" -> Ink.QUIET;
            default -> Ink.CAREFUL;
        };
    }

    private static String last(Json resource) {
        List<Json> problems = resource.at("problems").items();
        if (!problems.isEmpty()) {
            return problems.get(0).plain();
        }
        return resource.at("decisions").items().stream()
                .findFirst()
                .map(decision -> decision.at("decision").plain() + ": "
                        + decision.at("reason").plain())
                .orElse("");
    }

    private void one(Json resource) {
        GuardText text = new GuardText(output);
        text.line("Database", output.painted(Ink.STRONG, GuardText.clean(resource.at("db_identifier"))));
        text.line("Types", Screen.clean(types(resource)));
        text.line("State", output.painted(state(resource), Screen.clean(stateText(resource))));
        text.line("Actuator", GuardText.clean(resource.at("actuator")));
        List<Json> intents = resource.at("intents").items();
        if (intents.isEmpty()) {
            text.line("Stop wanted", "no");
        }
        for (Json intent : intents) {
            text.line(
                    "Stop wanted",
                    "by " + GuardText.clean(intent.at("requested_by")) + ", since "
                            + GuardText.clean(intent.at("since")));
        }
        for (Json other : resource.at("same_as").items()) {
            text.line("Same as", GuardText.clean(other) + ", by its address: both count together");
        }
        for (Json problem : resource.at("problems").items()) {
            text.line("Problem", output.painted(Ink.BAD, GuardText.clean(problem)));
        }
        for (Json user : resource.at("apps").items()) {
            text.line("App " + GuardText.clean(user.at("app")), text.sight(user));
        }
        if (!resource.at("decisions").items().isEmpty()) {
            output.out().println();
            text.explained(resource.at("decisions").items());
        }
    }
}
