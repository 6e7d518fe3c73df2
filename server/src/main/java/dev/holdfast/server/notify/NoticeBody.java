package dev.holdfast.server.notify;

import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;

/** The body of a delivery. */
final class NoticeBody {
    /** Enough for every event with what its holder said; more than this is left out, and the body says so. */
    static final int MAX_BYTES = 64 * 1024;
    /** Slack cuts longer messages. */
    private static final int MAX_SENTENCE = 3_000;

    private NoticeBody() {}

    static byte[] of(Notice notice, Webhook to) {
        return to.format() == Webhook.Format.SLACK ? slack(notice) : json(notice, to);
    }

    private static byte[] json(Notice notice, Webhook to) {
        byte[] whole = json(notice, notice.fields(), to, false);
        return whole.length <= MAX_BYTES ? whole : json(notice, notice.shortened(), to, true);
    }

    private static byte[] json(Notice notice, JsonText.Part fields, Webhook to, boolean shortened) {
        return JsonText.object(json -> {
            fields.write(json);
            json.writeStringField("delivery_id", notice.delivery(to));
            json.writeStringField("webhook", to.id());
            json.writeBooleanField("shortened", shortened);
        });
    }

    private static byte[] slack(Notice notice) {
        String sentence = notice.sentence();
        String cut = sentence.length() <= MAX_SENTENCE ? sentence : sentence.substring(0, MAX_SENTENCE) + "…";
        // The three characters that mean something to Slack: names of locks and owners mention nobody and link nowhere.
        String escaped = cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return Json.build().with("text", escaped).build().bytes();
    }
}
