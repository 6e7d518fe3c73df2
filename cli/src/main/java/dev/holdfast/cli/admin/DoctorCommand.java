package dev.holdfast.cli.admin;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.model.LockKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "doctor",
        header = "Check that a server or store can be used from here.",
        description = {
            "Latency, clock, schema, permissions, space, a lock taken and released, tokens that grow; and whether history,"
                    + " state and guard work. One line each: ok, warn or FAIL. Also says where the settings came from.",
            "",
            "If no place is named, and nobody answers at the default address, it checks this machine with a file"
                    + " of its own."
        },
        footer = {"holdfast doctor", "holdfast doctor --store postgresql://app@db/locks"},
        exitCodeList = {
            "0:Usable; there may be warnings.",
            "2:The command line, a setting or a URL is wrong.",
            "4:The server or store does not allow it.",
            "6:A check said no.",
            "69:The server or store cannot be reached."
        })
public final class DoctorCommand extends PlainCommand {
    @Mixin
    private Target target = new Target();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Checkup checkup = new Checkup(out());
        checkup.ok("Java " + System.getProperty("java.version") + " on " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch"));
        ClockRate.check(checkup);
        checkup.ok(origins());
        if (target.store().isPresent()) {
            new StoreCheckup(target.url(), checkup).run();
        } else {
            servers(checkup);
        }
        return checkup.finish();
    }

    private void servers(Checkup checkup) throws IOException, InterruptedException {
        String namespace = target.namespace().orElse(LockKey.DEFAULT_NAMESPACE);
        ServerConfig servers = target.servers();
        for (URI url : servers.servers()) {
            ServerConfig one = servers.withServer(url);
            ServerCheckup server = ServerCheckup.of(one, namespace, checkup);
            if (!target.namesServer() && !server.answers()) {
                checkup.warn("no server at " + url + ", and no other was named with --server or --store");
                thisMachine(checkup);
            } else {
                server.run();
            }
        }
    }

    private String origins() {
        Connection connection = target.connection();
        StringBuilder text = new StringBuilder("connects with ");
        String place = connection.store().isPresent() ? "store" : "server";
        text.append(target.shown() + " ("
                + connection.get(place).map(Connection.Setting::origin).orElse("the default") + ")");
        for (String key : List.of("token-file", "token", "ca-file", "client-cert", "client-key", "namespace")) {
            connection
                    .get(key)
                    .filter(setting -> key.equals("namespace") || place.equals("server"))
                    .ifPresent(setting -> text.append("; " + key + (key.equals("token") ? "" : " " + setting.value())
                            + " (" + setting.origin() + ")"));
        }
        return text.toString();
    }

    private static void thisMachine(Checkup checkup) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("holdfast-doctor");
        try {
            new StoreCheckup("sqlite:" + directory.resolve("locks.db"), checkup).run();
        } finally {
            TemporaryFiles.delete(directory);
        }
    }
}
