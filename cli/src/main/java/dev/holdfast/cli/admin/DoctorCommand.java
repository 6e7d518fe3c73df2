package dev.holdfast.cli.admin;

import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.TemporaryFiles;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.model.LockKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast doctor}: can this machine use this server or store, and how well. */
@Command(
        name = "doctor",
        description = {
            "Checks that a server or store can be reached and used from here: latency, clock, schema, permissions, space, a"
                    + " lock taken and released, tokens that grow. One line each: ok, warn or FAIL.",
            "",
            "Without --server or --store, and with nobody at the default address, it checks this machine with a file of its own."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:Usable; there may be warnings.",
            "2:The command line or a URL is wrong.",
            "4:The server or store does not allow it.",
            "6:A check said no.",
            "69:The server or store cannot be reached."
        },
        footerHeading = "%nExample:%n",
        footer = "holdfast doctor --store postgresql://app@db/locks")
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Checkup checkup = new Checkup(spec.commandLine().getOut());
        checkup.ok("Java " + System.getProperty("java.version") + " on " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch"));
        ClockRate.check(checkup);
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
            ServerCheckup server = new ServerCheckup(one, namespace, checkup);
            if (!isNamed() && !server.answers()) {
                checkup.warn("no server at " + url + ", and no other was named with --server or --store");
                thisMachine(checkup);
            } else {
                server.run();
            }
        }
    }

    private boolean isNamed() {
        return !target.url().equals(Target.DEFAULT_SERVER)
                || spec.commandLine().getParseResult().hasMatchedOption("--server")
                || System.getenv("HOLDFAST_SERVER") != null;
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
