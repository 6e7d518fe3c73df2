package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "status",
        header = "Show what apps share, its state, and why it was stopped or not.",
        description =
                "For each database: its state, who uses it, whether it should be stopped, and the last decision with"
                        + " its reason.",
        footer = {"holdfast guard status", "holdfast guard status --app shop"})
final class GuardStatusCommand extends GuardOperation {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DATABASE",
            description = "Only this one, with its last decisions: an instance id, or host:port.")
    private Optional<String> database = Optional.empty();

    @Option(names = "--app", paramLabel = "NAME", description = "Only what this app uses.")
    private Optional<String> app = Optional.empty();

    @Override
    int ask(Guard guard) throws InterruptedException {
        List<ResourceView> found = database.isEmpty()
                ? guard.resources()
                : List.of(guard.resource(database.get())
                        .orElseThrow(() -> new CommandException("No registered app uses '" + database.get()
                                + "'. See what is used: holdfast guard status")));
        List<Json> resources = Json.array(found, ResourceJson::write).items().stream()
                .filter(this::isWanted)
                .toList();
        output.showAll(
                resources,
                (json, resource) -> resource.writeTo(json),
                resource -> GuardText.clean(resource.at("db_identifier")),
                app.map(name -> "App '" + Screen.clean(name) + "' uses no database")
                        .orElse("No registered app uses a database"),
                database.isPresent() ? () -> resources.forEach(this::one) : () -> all(resources));
        return ExitCodes.OK;
    }

    private boolean isWanted(Json resource) {
        return app.map(name -> resource.at("apps").items().stream()
                        .anyMatch(user -> user.at("app").plain().equals(name)))
                .orElse(true);
    }

    private void all(List<Json> resources) {
        Table<Json> table = new Table<Json>()
                .column("DATABASE", resource -> resource.at("db_identifier").plain())
                .column("TYPES", resource -> GuardText.joined(resource.at("types")))
                .cells("STATE", resource -> Table.Cell.of(state(resource), stateText(resource)))
                .column("STOP FOR", resource -> GuardText.joined(resource.at("intents"), "requested_by"))
                .flexible("APPS", resource -> GuardText.joined(resource.at("apps"), "app"))
                .flexible("LAST DECISION", GuardStatusCommand::last);
        output.print(table, resources);
        if (resources.stream().anyMatch(GuardText::isRecordedOnly)) {
            output.say("Recorded only: the actuator of these databases touches nothing, so none is really stopped or"
                    + " started. Configure guard.actuators and guard.actuator.");
        }
    }

    private static String stateText(Json resource) {
        String only = GuardText.isRecordedOnly(resource)
                        && !resource.at("state").plain().equals("unknown")
                ? " (recorded only)"
                : "";
        String apps = GuardText.joined(resource.at("needed_by"));
        String needed = apps.isEmpty() ? "" : ", NEEDED by " + apps;
        return resource.at("state").plain() + only + needed;
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
        output.line("Database", output.painted(Ink.STRONG, GuardText.clean(resource.at("db_identifier"))));
        output.line("Types", Screen.clean(GuardText.joined(resource.at("types"))));
        output.line("State", output.painted(state(resource), Screen.clean(stateText(resource))));
        output.line("Actuator", GuardText.clean(resource.at("actuator")));
        List<Json> intents = resource.at("intents").items();
        if (intents.isEmpty()) {
            output.line("Stop wanted", "no");
        }
        for (Json intent : intents) {
            output.line(
                    "Stop wanted",
                    "by " + GuardText.clean(intent.at("requested_by")) + ", since "
                            + GuardText.clean(intent.at("since")));
        }
        for (Json other : resource.at("same_as").items()) {
            output.line("Same as", GuardText.clean(other) + ", by its address: both count together");
        }
        for (Json problem : resource.at("problems").items()) {
            output.line("Problem", output.painted(Ink.BAD, GuardText.clean(problem)));
        }
        for (Json user : resource.at("apps").items()) {
            output.line("App " + GuardText.clean(user.at("app")), text.sight(user));
        }
        if (!resource.at("decisions").items().isEmpty()) {
            output.out().println();
            text.explained(resource.at("decisions").items());
        }
    }
}
