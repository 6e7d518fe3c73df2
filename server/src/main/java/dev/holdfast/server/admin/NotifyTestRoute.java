package dev.holdfast.server.admin;

import dev.holdfast.server.auth.ForeignText;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.server.notify.WebhookTrial;
import dev.holdfast.wire.WebhookTestJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /admin/notify/test}: sends a test message to webhooks, from this replica, and answers what came back.
 *
 * @param work for nothing else: a receiver may take its time
 */
public record NotifyTestRoute(Supplier<NotifyOptions> options, Blocking work) {
    private static final Logger LOG = LoggerFactory.getLogger(NotifyTestRoute.class);

    public Route route() {
        return Route.post("/admin/notify/test", this::test);
    }

    private CompletableFuture<Reply> test(Call call) {
        call.query().check();
        JsonFields fields = call.fields();
        Optional<String> wanted = fields.optionalText("webhook", text -> text);
        fields.check();
        call.requireEverywhere(Role.ADMIN);
        NotifyOptions now = options.get();
        List<Webhook> webhooks = now.webhooks().stream()
                .filter(webhook -> wanted.isEmpty() || webhook.id().equals(wanted.get()))
                .toList();
        if (wanted.isPresent() && webhooks.isEmpty()) {
            throw unknown(wanted.get(), now.webhooks());
        }
        String asker = call.principal().name();
        return work.run(call, () -> tested(webhooks, asker, now.timeout()));
    }

    private static Reply tested(List<Webhook> webhooks, String asker, Duration timeout) throws InterruptedException {
        List<WebhookTestJson> results = WebhookTrial.of(webhooks, asker, timeout);
        for (WebhookTestJson one : results) {
            LOG.info("Webhook '{}' was sent a test by {}: {}, {}", one.webhook(), asker, one.outcome(), one.detail());
        }
        return Reply.ok(WebhookTestJson.write(results));
    }

    private static Problem.Refused unknown(String wanted, List<Webhook> webhooks) {
        String known = webhooks.isEmpty()
                ? "It has none (notify.webhooks)"
                : "There are: "
                        + String.join(", ", webhooks.stream().map(Webhook::id).toList());
        return Problem.refusal(
                404, "unknown-webhook", "This server has no webhook '" + ForeignText.safely(wanted) + "'. " + known);
    }
}
