package dev.holdfast.wire;

import dev.holdfast.wire.json.Json;
import java.time.Duration;
import java.util.List;

/**
 * What came of a test message at one webhook.
 *
 * @param host where it is; the rest of its address may be a secret
 * @param outcome {@code taken}, {@code refused} or {@code failed}
 * @param detail what was answered, for people; nothing of the answer's text
 * @param delivery the id that was sent along
 */
public record WebhookTestJson(
        String webhook, String host, String outcome, String detail, Duration took, String delivery) {
    public boolean isTaken() {
        return outcome.equals("taken");
    }

    public Json.Obj write() {
        return Json.build()
                .with("webhook", webhook)
                .with("host", host)
                .with("outcome", outcome)
                .with("detail", detail)
                .with("took_ms", took.toMillis())
                .with("delivery_id", delivery)
                .build();
    }

    /** {@code POST /admin/notify/test}: one for each webhook. */
    public static Json.Obj write(List<WebhookTestJson> all) {
        return Json.build()
                .with("items", Json.array(all, WebhookTestJson::write))
                .build();
    }

    /** Reads {@link #write(List)}. */
    public static List<WebhookTestJson> readAll(Json.Obj from) {
        return from.objects("items").stream().map(WebhookTestJson::read).toList();
    }

    private static WebhookTestJson read(Json.Obj from) {
        return new WebhookTestJson(
                AnswerFields.text(from, "webhook"),
                AnswerFields.text(from, "host"),
                AnswerFields.text(from, "outcome"),
                AnswerFields.text(from, "detail"),
                Duration.ofMillis(AnswerFields.number(from, "took_ms")),
                AnswerFields.text(from, "delivery_id"));
    }
}
