package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.CommandFamily;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.server.NotifySetup;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.server.notify.WebhookTrial;
import dev.holdfast.wire.WebhookTestJson;
import dev.holdfast.wire.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "notify",
        header = "Try out the webhooks of a server: test.",
        footer = {"holdfast notify test", "holdfast notify test ops"},
        subcommands = NotifyCommand.Test.class)
public final class NotifyCommand extends CommandFamily {
    @Command(
            name = "test",
            header = "Send a test message to webhooks, and show what came back.",
            description = {
                "A signed message of the event webhook.test, once, from the server that is asked, to all of its webhooks or"
                        + " to one. Where several servers share a store, any may have to send: test each with --server."
                        + " Needs the role admin in all namespaces.",
                "",
                "With --config the message comes from this machine instead, to the webhooks of that file, so it"
                        + " works before there is a server. Addresses and secrets that are in files or in the environment must then be here."
            },
            footer = {
                "holdfast notify test",
                "holdfast notify test ops --server https://locks-2.example.com",
                "holdfast notify test --config holdfast.yaml"
            },
            exitCodeList = {
                Codes.USUAL,
                "0:All of them accepted it.",
                "1:There is no such webhook, or it did not work; the reason is on standard error.",
                "6:One of them did not accept it, or there are none."
            })
    static final class Test extends TargetCommand {
        private static final String NONE =
                "There are no webhooks. Configure some with notify.webhooks in the server's configuration";

        @Parameters(
                arity = "0..1",
                paramLabel = "WEBHOOK",
                description = "The id of one webhook (default: all of them).")
        private Optional<String> webhook = Optional.empty();

        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "Ask no server: send to the webhooks of this file, from here.")
        private Optional<Path> config = Optional.empty();

        @Override
        protected int run() throws InterruptedException {
            List<WebhookTestJson> results = config.isPresent() ? fromHere(config.get()) : fromServer();
            output.showAll(
                    results,
                    (json, one) -> one.write().writeTo(json),
                    one -> Screen.clean(one.webhook()),
                    NONE,
                    () -> output.print(table(), results));
            boolean allTook = results.stream().allMatch(WebhookTestJson::isTaken);
            return allTook && !results.isEmpty() ? ExitCodes.OK : ExitCodes.CHECK_SAID_NO;
        }

        private List<WebhookTestJson> fromServer() throws InterruptedException {
            if (target.store().isPresent() && !target.namesServer()) {
                throw new IllegalArgumentException(
                        "Webhooks are sent by a server, not by its store; name one with --server, or a file with"
                                + " --config");
            }
            Json asked = Json.build().ifPresent("webhook", webhook).build();
            return WebhookTestJson.readAll(
                    new ServerCalls(target.servers()).send("POST", "/admin/notify/test", Optional.of(asked.compact())));
        }

        private List<WebhookTestJson> fromHere(Path file) throws InterruptedException {
            NotifyOptions options = options(file);
            List<Webhook> webhooks = options.webhooks().stream()
                    .filter(one -> webhook.isEmpty() || one.id().equals(webhook.get()))
                    .toList();
            if (webhooks.isEmpty() && webhook.isPresent()) {
                throw new CommandException("There is no webhook '" + webhook.get() + "' in " + file);
            }
            String asker = System.getProperty("user.name", "somebody");
            return WebhookTrial.of(webhooks, asker, options.timeout());
        }

        private static NotifyOptions options(Path file) {
            Map<String, String> environment = System.getenv();
            try {
                return NotifySetup.of(
                        Settings.load(List.of("--config", file.toString()), environment, Path.of("")), environment);
            } catch (ConfigProblems e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }

        private Table<WebhookTestJson> table() {
            return new Table<WebhookTestJson>()
                    .column("WEBHOOK", WebhookTestJson::webhook)
                    .column("HOST", WebhookTestJson::host)
                    .column("OUTCOME", WebhookTestJson::outcome)
                    .column("TOOK", one -> one.took().toMillis() + "ms")
                    .flexible("ANSWER", WebhookTestJson::detail);
        }
    }
}
