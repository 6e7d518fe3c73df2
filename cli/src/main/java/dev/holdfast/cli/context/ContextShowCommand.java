package dev.holdfast.cli.context;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Connection.Setting;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        header = "Show which server or store commands use here, and why.",
        description = {
            "Shows each setting that a command would use with the same flags, and where it came from. Contacts no"
                    + " server.",
            "With -o name: the context in use, if there is one."
        },
        footer = {"holdfast context show", "holdfast context show prod"},
        exitCodeList = {Codes.OK, Codes.USAGE})
final class ContextShowCommand extends TargetCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "CONTEXT",
            description = "As if --context named this one. Without it: what is used now.")
    private Optional<String> name = Optional.empty();

    @Override
    protected int run() {
        Connection connection = name.map(it -> Connection.of(Map.of("context", it), System.getenv()))
                .orElseGet(target::connection);
        Map<String, Setting> shown = shown(connection);
        ObjectBuilder settings = Json.build();
        shown.forEach((key, setting) -> settings.with(
                key.replace('-', '_'),
                Json.build()
                        .with("value", setting.value())
                        .with("origin", setting.origin())
                        .build()));
        output.show(
                settings.build()::writeTo,
                Stream.ofNullable(shown.get("context")).map(Setting::value),
                () -> lines(shown));
        if (!connection.leftOut().isEmpty()) {
            output.say("holdfast: not used here: " + String.join(", ", connection.leftOut())
                    + "; 'holdfast help context' says why");
        }
        return ExitCodes.OK;
    }

    private static Map<String, Setting> shown(Connection connection) {
        Map<String, Setting> shown = new LinkedHashMap<>();
        connection.context().ifPresent(context -> shown.put("context", context));
        List<String> keys = new ArrayList<>(List.of("store"));
        if (connection.store().isEmpty()) {
            shown.put("server", connection.get("server").orElse(new Setting(Target.DEFAULT_SERVER, "default")));
            keys = List.of("token-file", "token", "ca-file", "client-cert", "client-key");
        }
        for (String key : keys) {
            connection.get(key).ifPresent(setting -> shown.put(key, masked(key, setting)));
        }
        connection.get("namespace").ifPresent(setting -> shown.put("namespace", setting));
        return shown;
    }

    private static Setting masked(String key, Setting setting) {
        return new Setting(key.equals("token") ? "***" : Stores.masked(setting.value()), setting.origin());
    }

    private void lines(Map<String, Setting> shown) {
        int widest = shown.values().stream()
                .mapToInt(setting -> setting.value().length())
                .max()
                .orElse(0);
        shown.forEach((key, setting) -> output.line(
                key, String.format("%-" + widest + "s   %s", setting.value(), "(" + setting.origin() + ")")));
    }
}
