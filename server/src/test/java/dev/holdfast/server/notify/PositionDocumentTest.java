package dev.holdfast.server.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreUnusableException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the position of a webhook")
class PositionDocumentTest {
    private static final Webhook OPS = new Webhook(
            "ops",
            URI.create("http://127.0.0.1/"),
            Optional.empty(),
            Set.of(NoticeKind.FORCED),
            List.of(),
            List.of(),
            Webhook.Format.SLACK);
    private static final Instant NOON = Instant.parse("2026-11-18T12:00:00.123456Z");
    private static final Position START = new Position(10, NOON);

    private final MemoryDocuments documents = new MemoryDocuments();

    private PositionDocument sender(long token) {
        return new PositionDocument(documents, OPS, new Token(token));
    }

    @Test
    @DisplayName("begins where the first sender begins, and goes on where the last one was")
    void goesOn() throws SupersededException {
        PositionDocument first = sender(1);
        assertThat(first.claim(() -> START)).isEqualTo(START);
        first.save(START.after(11));
        first.save(START.after(12).waitsUntil(NOON.plusSeconds(1)));
        assertThat(sender(2).claim(() -> START)).isEqualTo(new Position(12, NOON.plusSeconds(1)));
    }

    @Test
    @DisplayName("is not set back by a sender that was replaced while it slept, before or after the next one saved")
    void zombie() throws SupersededException {
        PositionDocument sleeping = sender(1);
        sleeping.claim(() -> START);
        PositionDocument next = sender(2);
        next.claim(() -> START);
        assertThatThrownBy(() -> sleeping.save(START.after(11))).isInstanceOf(SupersededException.class);
        next.save(START.after(20));
        assertThatThrownBy(() -> sleeping.save(START.after(11))).isInstanceOf(SupersededException.class);
        assertThatThrownBy(() -> sleeping.claim(() -> START)).isInstanceOf(SupersededException.class);
        assertThat(sender(3).claim(() -> START).after()).isEqualTo(20);
    }

    @Test
    @DisplayName("is kept by a sender whose last answer was lost, since nobody else has its token")
    void lostAnswer() throws SupersededException {
        PositionDocument sender = sender(7);
        sender.claim(() -> START);
        // As its own write whose answer never came: the tag is another one now.
        String tag = documents.look("notify/ops").orElseThrow().tag();
        byte[] content = documents.get("notify/ops").orElseThrow().content();
        assertThat(documents.write(Change.put("notify/ops", Condition.tagged(tag), content, Map.of("token", "7"))))
                .isInstanceOf(WriteOutcome.Written.class);
        sender.save(START.after(11));
        assertThat(sender(8).claim(() -> START).after()).isEqualTo(11);
    }

    @Test
    @DisplayName("that somebody deleted is not made again by the sender that had it")
    void deleted() throws SupersededException {
        PositionDocument sender = sender(1);
        sender.claim(() -> START);
        documents.write(Change.delete("notify/ops", Condition.none()));
        assertThatThrownBy(() -> sender.save(START.after(11))).isInstanceOf(SupersededException.class);
    }

    @Test
    @DisplayName("that cannot be understood is not written over")
    void damaged() {
        for (String content : List.of(
                "{}", "no JSON", "{\"format\":2,\"after\":1}", "{\"format\":1,\"after\":1,\"waits_until\":\"noon\"}")) {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            documents.write(Change.put("notify/ops", Condition.none(), bytes, Map.of("token", "1")));
            assertThatThrownBy(() -> sender(2).claim(() -> START)).isInstanceOf(StoreUnusableException.class);
            assertThat(documents.get("notify/ops").orElseThrow().content()).isEqualTo(bytes);
        }
    }
}
