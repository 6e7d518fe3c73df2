package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.wire.Rfc3339;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
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
        List<ResourceView> resources = found.stream().filter(this::isWanted).toList();
        output.showAll(
                resources,
                (json, resource) -> ResourceJson.write(resource).writeTo(json),
                resource -> Screen.clean(resource.dbIdentifier()),
                app.map(name -> "App '" + Screen.clean(name) + "' uses no database")
                        .orElse("No registered app uses a database"),
                database.isPresent() ? () -> resources.forEach(this::one) : () -> all(resources));
        return ExitCodes.OK;
    }

    private boolean isWanted(ResourceView resource) {
        return app.map(name ->
                        resource.apps().stream().anyMatch(user -> user.app().equals(name)))
                .orElse(true);
    }

    private void all(List<ResourceView> resources) {
        Table<ResourceView> table = new Table<ResourceView>()
                .column("DATABASE", ResourceView::dbIdentifier)
                .column("TYPES", resource -> String.join(",", resource.types()))
                .cells("STATE", resource -> Table.Cell.of(colour(resource), state(resource)))
                .column("STOP FOR", resource -> joined(resource.intents(), Intent::requestedBy))
                .flexible("APPS", resource -> joined(resource.apps(), ResourceView.User::app))
                .flexible("LAST DECISION", GuardStatusCommand::last);
        output.print(table, resources);
        if (resources.stream().anyMatch(ResourceView::recordedOnly)) {
            output.say("Recorded only: the actuator of these databases touches nothing, so none is really stopped or"
                    + " started. Configure guard.actuators and guard.actuator.");
        }
    }

    private static <T> String joined(List<T> all, Function<T, String> name) {
        return all.stream().map(name).collect(Collectors.joining(","));
    }

    private static String state(ResourceView resource) {
        boolean only = resource.recordedOnly() && resource.state() != ResourceState.UNKNOWN;
        String apps = String.join(",", resource.neededBy());
        return resource.state().name().toLowerCase(Locale.ROOT)
                + (only ? " (recorded only)" : "")
                + (apps.isEmpty() ? "" : ", NEEDED by " + apps);
    }

    private static TextColour colour(ResourceView resource) {
        if (!resource.neededBy().isEmpty()) {
            return TextColour.BAD;
        }
        return switch (resource.state()) {
            case RUNNING -> TextColour.GOOD;
            case STOPPED -> TextColour.QUIET;
            default -> TextColour.CAREFUL;
        };
    }

    private static String last(ResourceView resource) {
        return resource.problems().stream()
                .findFirst()
                .orElseGet(() -> resource.decisions().stream()
                        .findFirst()
                        .map(decision -> decision.outcome().label() + ": " + decision.reason())
                        .orElse(""));
    }

    private void one(ResourceView resource) {
        GuardText text = new GuardText(output);
        output.line("Database", output.painted(TextColour.STRONG, Screen.clean(resource.dbIdentifier())));
        output.line("Types", Screen.clean(String.join(",", resource.types())));
        output.line("State", output.painted(colour(resource), Screen.clean(state(resource))));
        output.line("Actuator", Screen.clean(resource.actuator()));
        if (resource.intents().isEmpty()) {
            output.line("Stop wanted", "no");
        }
        for (Intent intent : resource.intents()) {
            output.line(
                    "Stop wanted",
                    "by " + Screen.clean(intent.requestedBy()) + ", since " + Rfc3339.text(intent.since()));
        }
        for (String other : resource.sameAs()) {
            output.line("Same as", Screen.clean(other) + ", by its address: both count together");
        }
        for (String problem : resource.problems()) {
            output.line("Problem", output.painted(TextColour.BAD, Screen.clean(problem)));
        }
        for (ResourceView.User user : resource.apps()) {
            output.line("App " + Screen.clean(user.app()), text.sight(user.status(), user.httpCode()));
        }
        if (!resource.decisions().isEmpty()) {
            output.out().println();
            text.explained(resource.decisions());
        }
    }
}
