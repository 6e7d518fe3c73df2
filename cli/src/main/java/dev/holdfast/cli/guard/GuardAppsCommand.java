package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.guard.App;
import dev.holdfast.guard.AppsYaml;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.wire.AppJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
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
        Collection<App> apps = guard.apps();
        output.showAll(
                apps,
                (json, app) -> AppJson.write(app).writeTo(json),
                app -> Screen.clean(app.name()),
                "No app is registered. Register some: holdfast guard apps import apps.yaml",
                () -> output.print(table(), List.copyOf(apps)));
        return ExitCodes.OK;
    }

    private static Table<App> table() {
        return new Table<App>()
                .column("APP", App::name)
                .column(
                        "DESIRED",
                        app -> app.desired().label() + (app.startingUntil().isEmpty() ? "" : ", starting"))
                .flexible("URL", app -> app.url().toString())
                .flexible("DATABASES", GuardAppsCommand::databases);
    }

    private static String databases(App app) {
        return app.databases().stream()
                .map(database -> database.type() + " "
                        + database.instanceId()
                                .or(database::endpoint)
                                .or(database::host)
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
            output.show(
                    AppJson.registered(apps.size(), warnings)::writeTo,
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
