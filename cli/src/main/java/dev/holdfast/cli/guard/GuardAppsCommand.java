package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.guard.AppsYaml;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.wire.AppJson;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "apps",
        header = "List the registered apps, and what they use.",
        footer = "holdfast guard apps",
        subcommands = {GuardAppsCommand.Import.class, GuardAppsCommand.Forget.class})
final class GuardAppsCommand extends GuardOperation {
    @Override
    int ask(Guard guard) throws InterruptedException {
        List<Json> apps = Json.array(guard.apps(), AppJson::write).items();
        output.showAll(
                apps,
                (json, app) -> app.writeTo(json),
                app -> GuardText.clean(app.at("app")),
                "No app is registered. Register some: holdfast guard apps import apps.yaml",
                () -> output.print(table(), apps));
        return ExitCodes.OK;
    }

    private static Table<Json> table() {
        return new Table<Json>()
                .column("APP", app -> app.at("app").plain())
                .column(
                        "DESIRED",
                        app -> app.at("desired").plain()
                                + (app.at("starting_until").isNull() ? "" : ", starting"))
                .flexible("URL", app -> app.at("url").plain())
                .flexible("DATABASES", GuardAppsCommand::databases);
    }

    private static String databases(Json app) {
        return app.at("databases").items().stream()
                .map(database -> database.at("type").plain() + " "
                        + database.at("instance_id")
                                .plainIfAny()
                                .or(() -> database.at("host").plainIfAny())
                                .orElse("?"))
                .collect(Collectors.joining(", "));
    }

    @Command(
            name = "import",
            header = "Register the apps of a YAML file, or change them.",
            description = {
                "All of them, or none if there is a mistake in one.",
                "The file has 'apps:' and below it, by name, 'url', 'databases', 'desired' and 'health'."
            },
            footer = "holdfast guard apps import apps.yaml")
    static final class Import extends GuardOperation {
        @Parameters(index = "0", paramLabel = "FILE", description = "The YAML file.")
        private Path file = Path.of("");

        private List<Registration> apps = List.of();

        @Override
        void prepare() {
            apps = read();
        }

        @Override
        int ask(Guard guard) throws InterruptedException {
            List<String> warnings = guard.registerAll(apps);
            Json answer = Json.build()
                    .with("registered", apps.size())
                    .with("warnings", Json.array(warnings, Json::of))
                    .build();
            output.show(
                    answer::writeTo,
                    apps.stream().map(Registration::app),
                    () -> output.println(apps.size() + (apps.size() == 1 ? " app" : " apps") + " registered"));
            output.out().flush();
            warnings.forEach(warning -> output.say("Warning: " + Screen.clean(warning)));
            return ExitCodes.OK;
        }

        private List<Registration> read() {
            try {
                return AppsYaml.parse(Files.readString(file));
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        FileProblem.of(file).orElse("'" + file + "' cannot be read: " + FileProblem.why(e)), e);
            } catch (InvalidAppException e) {
                throw new CommandException("'" + file + "': " + String.join("\n  ", e.problems()));
            }
        }
    }

    @Command(
            name = "rm",
            header = "Forget an app.",
            description = "It no longer keeps anything from being stopped.",
            footer = "holdfast guard apps rm shop")
    static final class Forget extends GuardOperation {
        @Parameters(index = "0", paramLabel = "APP", description = "Name of the app.")
        private String app = "";

        @Override
        int ask(Guard guard) throws InterruptedException {
            guard.app(app); // or it would be forgotten without a word that it was never known
            guard.unregister(app);
            if (output.isTable()) {
                output.println("App '" + Screen.clean(app) + "' is forgotten");
            }
            return ExitCodes.OK;
        }
    }
}
