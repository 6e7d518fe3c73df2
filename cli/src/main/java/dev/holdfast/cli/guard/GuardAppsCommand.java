package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.guard.AppsYaml;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast guard apps}: who uses what. */
@Command(
        name = "apps",
        description = "Lists the registered apps, and what they use.",
        mixinStandardHelpOptions = true,
        subcommands = {GuardAppsCommand.Import.class, GuardAppsCommand.Forget.class},
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
final class GuardAppsCommand implements Callable<Integer> {
    @Mixin
    private GuardTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        List<Json> apps;
        try (GuardAnswers guards = target.open()) {
            apps = guards.apps();
        }
        switch (output.format()) {
            case json, yaml -> output.printAll(apps, (json, app) -> app.writeTo(json));
            case name -> apps.forEach(app -> output.out().println(GuardText.clean(app.at("app"))));
            case table -> show(apps);
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private void show(List<Json> apps) {
        if (apps.isEmpty()) {
            output.err().println("No app is registered. Register some: holdfast guard apps import apps.yaml");
            return;
        }
        Table table = new Table("APP", "DESIRED", "URL", "DATABASES").flexible("APP", "URL", "DATABASES");
        for (Json app : apps) {
            boolean starting = !app.at("starting_until").isNull();
            table.row(
                    Table.Cell.of(app.at("app").plain()),
                    Table.Cell.of(app.at("desired").plain() + (starting ? ", starting" : "")),
                    Table.Cell.of(app.at("url").plain()),
                    Table.Cell.of(databases(app)));
        }
        output.print(table);
    }

    private static String databases(Json app) {
        return app.at("databases").items().stream()
                .map(database -> database.at("type").plain() + " "
                        + database.at("instance_id")
                                .plainIfAny()
                                .or(() -> database.at("host").plainIfAny())
                                .orElse("?"))
                .reduce((one, other) -> one + ", " + other)
                .orElse("");
    }

    /** {@code holdfast guard apps import}. */
    @Command(
            name = "import",
            description = {
                "Registers the apps of a YAML file, or changes them: all, or none if something is wrong with one.",
                "The file has 'apps:' and below it, by name, 'url', 'databases', 'desired' and 'health'."
            },
            mixinStandardHelpOptions = true,
            exitCodeListHeading = Codes.HEADING,
            exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
    static final class Import implements Callable<Integer> {
        @Parameters(index = "0", paramLabel = "FILE", description = "The YAML file.")
        private Path file = Path.of("");

        @Mixin
        private GuardTarget target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws InterruptedException {
            List<Registration> apps = read();
            List<String> warnings;
            try (GuardAnswers guards = target.open()) {
                warnings = guards.register(apps);
            }
            switch (output.format()) {
                case json, yaml ->
                    output.print(json -> {
                        json.writeStartObject();
                        json.writeNumberField("registered", apps.size());
                        json.writeArrayFieldStart("warnings");
                        for (String warning : warnings) {
                            json.writeString(warning);
                        }
                        json.writeEndArray();
                        json.writeEndObject();
                    });
                case name -> apps.forEach(app -> output.out().println(app.app()));
                case table -> output.out().println(apps.size() + (apps.size() == 1 ? " app" : " apps") + " registered");
            }
            output.out().flush();
            warnings.forEach(warning -> output.err().println("Warning: " + Screen.clean(warning)));
            return ExitCodes.OK;
        }

        private List<Registration> read() {
            try {
                return AppsYaml.parse(Files.readString(file));
            } catch (IOException e) {
                throw new IllegalArgumentException("'" + file + "' cannot be read: " + e, e);
            } catch (InvalidAppException e) {
                throw new CommandException("'" + file + "': " + String.join("\n  ", e.problems()));
            }
        }
    }

    /** {@code holdfast guard apps rm}. */
    @Command(
            name = "rm",
            description = "Forgets an app: it no longer keeps anything from being stopped.",
            mixinStandardHelpOptions = true,
            exitCodeListHeading = Codes.HEADING,
            exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
    static final class Forget implements Callable<Integer> {
        @Parameters(index = "0", paramLabel = "APP", description = "Its name.")
        private String app = "";

        @Mixin
        private GuardTarget target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws InterruptedException {
            try (GuardAnswers guards = target.open()) {
                guards.forget(app);
            }
            if (output.isTable()) {
                output.out().println("App '" + Screen.clean(app) + "' is forgotten");
            }
            output.out().flush();
            return ExitCodes.OK;
        }
    }
}
