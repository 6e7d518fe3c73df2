package dev.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.model.Done;
import dev.holdfast.model.EndedLeases;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stored form of a record. */
class RecordCodecTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");
    private static final Instant TIME = Times.ofMicros(1_767_225_600_123_456L);

    @Test
    @DisplayName("every field comes back")
    void roundTrip() {
        LockRecord record = full();
        assertThat(decode(RecordCodec.body(record), PastJson.write(record.past())))
                .isEqualTo(record);
    }

    @Test
    @DisplayName("an empty record is a short document")
    void emptyRecord() {
        LockRecord record = LockRecord.empty(KEY).stamped(new Stamp(7));
        assertThat(RecordCodec.body(record)).isEqualTo("{\"format\":1}");
        assertThat(decode("{\"format\":1}", ""))
                .isEqualTo(new LockRecord(
                        1, KEY, new Stamp(7), new Token(9), List.of(), List.of(), Map.of(), Past.NONE, Map.of()));
    }

    @Test
    @DisplayName("equal records give equal documents")
    void deterministic() {
        assertThat(RecordCodec.body(full())).isEqualTo(RecordCodec.body(full()));
    }

    @Test
    @DisplayName("fields this version does not know survive, as they came")
    void unknownFieldsSurvive() {
        String body = "{\"format\":1,\"later\":{\"a\":[1,2.50,null,true,\"é\"]},\"x\":\"y\"}";
        LockRecord read = decode(body, "");
        assertThat(read.extras())
                .containsEntry("later", "{\"a\":[1,2.50,null,true,\"é\"]}")
                .containsEntry("x", "\"y\"");
        assertThat(RecordCodec.body(read)).isEqualTo(body);
    }

    @Test
    @DisplayName("a newer format is read as far as it is understood, and says that it is newer")
    void newerFormat() {
        LockRecord record = full();
        String body = RecordCodec.body(record).replace("\"format\":1", "\"format\":2");
        LockRecord read = decode(body, "");
        assertThat(read.isNewer()).isTrue();
        assertThat(read.holds()).isEqualTo(record.holds());
        assertThat(read.queue()).isEqualTo(record.queue());
    }

    @Test
    @DisplayName("an unknown field inside a hold does not hinder reading it")
    void unknownFieldInAHold() {
        LockRecord record = full();
        String body = RecordCodec.body(record).replace("{\"lease_id\"", "{\"new\":{\"deep\":[1]},\"lease_id\"");
        assertThat(decode(body, "").holds()).isEqualTo(record.holds());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "5",
                "[]",
                "{",
                "{}",
                "not json",
                "{\"format\":0}",
                "{\"format\":\"one\"}",
                "{\"format\":1,\"holds\":5}",
                "{\"format\":1,\"holds\":[5]}",
                "{\"format\":1,\"holds\":[{}]}",
                "{\"format\":1,\"holds\":{}}",
                "{\"format\":1,\"queue\":null}",
                "{\"format\":1,\"queue\":[{\"lease_id\":\"12345678\",\"owner\":\"x\",\"mode\":\"shared\"}]}",
                "{\"format\":1,\"alive\":[1]}",
                "{\"format\":1,\"alive\":5}",
                "{\"format\":1,\"alive\":{\"engine\":\"soon\"}}",
                "{\"format\":1,\"alive\":{\"en gine\":1}}",
                "{\"format\":1,\"holds\":[{\"lease_id\":null}]}",
                "{\"format\":1,\"holds\":[{\"lease_id\":\"12345678\",\"paths\":\"x\"}]}",
                "{\"format\":1,\"holds\":[{\"lease_id\":\"12345678\",\"owner\":\"x\",\"mode\":\"odd\",\"lease\":1000000}]}",
                "{\"format\":1,\"holds\":[{\"lease_id\":\"12345678\",\"owner\":\"x\",\"mode\":\"shared\",\"lease\":1}]}",
                "{\"format\":1,\"holds\":[{\"lease_id\":\"12345678\",\"owner\":null,\"mode\":\"shared\"}]}",
                "{\"format\":1,\"holds\":[{\"lease_id\":\"12345678\",\"metadata\":[1]}]}",
                "{\"format\":1,\"holds\":[{\"lease_id\":\"12345678\",\"ticket\":7}]}",
                "{\"format\":99999999999999999999}"
            })
    @DisplayName("a damaged document is unusable, by name, never another failure")
    void damaged(String body) {
        assertUnusable(body, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "{",
                "5",
                "{\"ended\":\"abc\"}",
                "{\"ended\":\"zzzzzzzz!zzr1\"}",
                "{\"ended\":\"0123456789abcdefr!\"}",
                "{\"ended\":[1]}",
                "{\"ended\":null}",
                "{\"done\":5}",
                "{\"done\":{}}",
                "{\"done\":{\"generation\":\"g\",\"by\":\"b\",\"token\":-1}}",
                "{\"done\":null}"
            })
    @DisplayName("a damaged past is unusable, by name, never another failure")
    void damagedPast(String past) {
        assertUnusable("{\"format\":1}", past);
    }

    @Test
    @DisplayName("a document cut short or altered anywhere is read or unusable, never another failure")
    void damagedAnywhere() {
        String body = RecordCodec.body(full());
        String past = PastJson.write(full().past());
        for (int i = 0; i < body.length(); i++) {
            readOrUnusable(body.substring(0, i), past);
            for (String other : new String[] {"0", "\"", "}", "]", "{", "[", ",", "x", "null"}) {
                readOrUnusable(body.substring(0, i) + other + body.substring(i + 1), past);
            }
        }
        for (int i = 1; i < past.length(); i++) {
            readOrUnusable(body, past.substring(0, i));
            for (String other : new String[] {"0", "\"", "}", "]", "{", "[", ",", "x", "null"}) {
                readOrUnusable(body, past.substring(0, i) + other + past.substring(i + 1));
            }
        }
    }

    private static void readOrUnusable(String body, String past) {
        try {
            decode(body, past);
        } catch (StoreUnusableException expected) {
            assertThat(expected).hasMessageContaining("'lock'");
        }
    }

    private static void assertUnusable(String body, String past) {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> decode(body, past))
                .withMessageContaining("'lock'")
                .withMessageContaining("'default'")
                .withMessageContaining("backup");
    }

    // ---- the past

    @Test
    @DisplayName("the past comes back, and an ended lease can be found in it as text")
    void pastRoundTrip() throws IOException {
        Past past = full().past();
        String text = PastJson.write(past);
        assertThat(PastJson.read(text)).isEqualTo(past);
        assertThat(text).contains(EndedLeases.mark(LeaseId.ofBits(5, 6)));
        assertThat(text).doesNotContain(EndedLeases.mark(LeaseId.ofBits(5, 7)));
        assertThat(EndedLeases.mark(LeaseId.ofBits(5, 6))).hasSize(11);
    }

    @Test
    @DisplayName("no past is no text")
    void noPast() throws IOException {
        assertThat(PastJson.write(Past.NONE)).isEmpty();
        assertThat(PastJson.read("")).isEqualTo(Past.NONE);
    }

    @Test
    @DisplayName("ended leases come back, newest with the time, and each can be found by its mark")
    void ended() throws IOException {
        Past past = Past.NONE;
        for (int i = 0; i < 40; i++) {
            LostReason how = i % 2 == 0 ? LostReason.RELEASED : LostReason.EXPIRED;
            past = past.with(LeaseId.ofBits(i, i), how, TIME.plusSeconds(i));
        }
        String text = PastJson.write(past);
        assertThat(PastJson.read(text)).isEqualTo(past);
        assertThat(text).contains(EndedLeases.mark(LeaseId.ofBits(39, 39)), EndedLeases.mark(LeaseId.ofBits(8, 8)));
        assertThat(text).doesNotContain(EndedLeases.mark(LeaseId.ofBits(7, 7)));
        Past done = past.with(new Done("v1", "worker", new Token(3), TIME));
        assertThat(PastJson.read(PastJson.write(done))).isEqualTo(done);
    }

    @Test
    @DisplayName("ended leases with times of their own, as earlier versions wrote them, are read")
    void timesOfTheirOwn() throws IOException {
        Past past = PastJson.read("{\"ended\":\"AAAAAAAAAABrgz3m5yd1c;AAAAAAAAAACelfls\"}");
        assertThat(past.ended()).hasToString("AAAAAAAAAABr0;AAAAAAAAAACe0;");
        assertThat(past.lastEnd()).isEqualTo(Times.ofMicros(Long.parseLong("gz3m5yd1c", 36)));
    }

    @Test
    @DisplayName("a reason for the end that a newer version wrote is read as unknown")
    void newerReason() throws IOException {
        Past past = PastJson.read("{\"ended\":\"0123456789abcdefZ1\",\"new\":{\"a\":1}}");
        assertThat(past.ended()).hasToString("0123456789ab0;");
    }

    @Test
    @DisplayName("metadata comes back")
    void metadata() throws IOException {
        Map<String, String> metadata = Map.of("k", "v\n\"é😀\u0001", "", "");
        assertThat(PastJson.metadata(PastJson.metadata(metadata))).isEqualTo(metadata);
    }

    private static LockRecord decode(String body, String past) {
        return RecordCodec.decode(KEY, new Stamp(7), new Token(9), body, past);
    }

    private static LockRecord full() {
        Waiter waiter = new Waiter(
                LeaseId.ofBits(3, 4),
                Scope.of(LockPath.of("a/b"), Mode.permit(7)),
                "wärter \"😀\"",
                new EngineId("engine-1"),
                Duration.ofMillis(2_500),
                TIME,
                true);
        Terms terms = new Terms(
                Duration.ofNanos(1_234_567_000L),
                Duration.ofMillis(400),
                Duration.ofSeconds(3),
                Map.of("k\"1", "line\nbreak", "ü", ""),
                "because");
        Hold held = new Hold(
                LeaseId.ofBits(1, 2),
                new Scope(List.of(LockPath.of("x"), LockPath.of("y")), Mode.SHARED),
                "owner",
                new Token(Long.MAX_VALUE),
                TIME,
                TIME.plusNanos(1_000),
                TIME.plusSeconds(5),
                terms,
                Hold.Phase.HELD,
                Optional.empty(),
                true);
        Hold offered = new Hold(
                LeaseId.ofBits(3, 4),
                waiter.scope(),
                waiter.owner(),
                new Token(1),
                TIME,
                TIME,
                TIME,
                Terms.of(Duration.ofSeconds(1)),
                Hold.Phase.OFFERED,
                Optional.of(waiter),
                false);
        Hold never = new Hold(
                LeaseId.ofBits(8, 9),
                Scope.WHOLE,
                "terraform",
                new Token(2),
                TIME,
                TIME,
                Times.NEVER,
                new Terms(Times.FOREVER, Duration.ZERO, Duration.ZERO, Map.of(), ""),
                Hold.Phase.LINGERING,
                Optional.empty(),
                false);
        Past past = Past.NONE
                .with(LeaseId.ofBits(5, 6), LostReason.FORCED, TIME)
                .with(LeaseId.ofBits(6, 6), LostReason.EXPIRED, TIME.plusSeconds(1))
                .with(new Done("v42 \"é\"", "worker", new Token(3), TIME));
        return new LockRecord(
                1,
                KEY,
                new Stamp(7),
                new Token(9),
                List.of(held, offered, never),
                List.of(waiter),
                Map.of(new EngineId("engine-1"), TIME),
                past,
                Map.of("later", "[1,{\"a\":null}]"));
    }
}
