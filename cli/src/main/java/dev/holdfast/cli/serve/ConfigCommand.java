package dev.holdfast.cli.serve;

import dev.holdfast.cli.text.CommandFamily;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

@Command(
        name = "config",
        header = "Show the settings of the server: show, keys.",
        footer = {"holdfast config show --origin", "holdfast config keys"},
        subcommands = {ConfigCommand.Show.class, ConfigCommand.Keys.class})
public final class ConfigCommand extends CommandFamily {
    /** The settings there are: each is also a flag of the server. */
    public static List<String> keys() {
        return Settings.declared().stream().<String>map(Setting::name).toList();
    }

    @Command(
            name = "show",
            header = "Show the value of every setting, as 'serve' would use it.",
            description =
                    "With the same flags as for 'holdfast serve'. Secrets are shown as ***. Lists all problems if the"
                            + " server would not start.",
            footer = {"holdfast config show --origin", "holdfast config show --port=9090 -o yaml"},
            customSynopsis = "holdfast config show [--origin] [-o table|yaml|json] [--config FILE] [--KEY=VALUE]...",
            exitCodeList = {"0:Done.", "2:The server would not start; each reason is on standard error."})
    static final class Show extends PlainCommand {
        @Option(names = "--origin", description = "Also where each value came from.")
        private boolean origin;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                defaultValue = "table",
                description = "table, yaml (usable as holdfast.yaml) or json.")
        private SettingsFormat format = SettingsFormat.table;

        /** The flags of the server: any key is one, so they are not declared here. */
        @Unmatched
        private List<String> flags = new ArrayList<>();

        @Override
        public Integer call() {
            try {
                Settings settings = Settings.load(flags, System.getenv(), Path.of(""));
                format.print(settings.lines(), origin, out());
                out().flush();
                settings.notes().forEach(note -> err().println("Note: " + note));
                return ExitCodes.OK;
            } catch (ConfigProblems e) {
                err().println(e.getMessage());
                return ExitCodes.USAGE;
            }
        }
    }

    @Command(
            name = "keys",
            header = "List all settings, with default, range and purpose.",
            description = "Reads no configuration.",
            footer = "holdfast config keys",
            exitCodeList = {"0:Done.", "2:The command line is wrong."})
    static final class Keys extends PlainCommand {
        @Override
        public Integer call() {
            for (Setting<?> setting : Settings.declared()) {
                String byDefault = setting.defaultText().isEmpty() ? "not set" : "default " + setting.defaultText();
                out().println(setting.name() + "  (" + byDefault + ")");
                out().println("    " + setting.description());
                out().println("    Must be " + setting.allowed() + ".");
            }
            out().flush();
            return ExitCodes.OK;
        }
    }
}
