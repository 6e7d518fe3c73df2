package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Names;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every option has bounds; a breach names the value and the bound, and nothing is asked of the store. */
abstract class BoundCases extends LockCases {

    @Test
    @DisplayName("a lease is 100 ms to 24 h")
    void lease() {
        refused(o -> o.lease(Duration.ofMillis(99)), "PT0.099S", "PT0.1S");
        refused(o -> o.lease(Duration.ofHours(24).plusMillis(1)), "PT24H0.001S", "PT24H");
        refused(o -> o.lease(Duration.ofSeconds(-1)), "PT-1S", "PT0.1S");
        taken(o -> o.lease(Terms.MIN_LEASE));
        taken(o -> o.lease(Terms.MAX_LEASE));
    }

    @Test
    @DisplayName("a wait is 0 to 7 days, also for several locks")
    void waiting() {
        refused(o -> o.waitUpTo(Duration.ofSeconds(-1)), "PT-1S", "0");
        refused(o -> o.waitUpTo(Duration.ofDays(7).plusSeconds(1)), "PT168H1S", "PT168H");
        Node alice = node("alice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.acquireAll(List.of(KEY), o -> o.waitUpTo(Duration.ofSeconds(-1))))
                .withMessageContaining("PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        alice.client.acquireAll(List.of(KEY), o -> o.waitUpTo(Duration.ofSeconds(Long.MAX_VALUE))))
                .withMessageContaining("PT168H");
    }

    @Test
    @DisplayName("a minimum hold is 0 to 24 h")
    void minHold() {
        refused(o -> o.minHold(Duration.ofSeconds(-1)), "PT-1S", "PT24H");
        refused(o -> o.minHold(Duration.ofHours(25)), "PT25H", "PT24H");
    }

    @Test
    @DisplayName("a permit limit is 1 to 1000")
    void permits() {
        refused(o -> o.permit(0), "'0'", "1000");
        refused(o -> o.permit(1_001), "'1001'", "1000");
    }

    @Test
    @DisplayName("an owner has 1 to 512 printable characters, a reason at most 512")
    void texts() {
        refused(o -> o.owner(""), "owner", "512");
        refused(o -> o.owner("x".repeat(513)), "xxx", "512");
        refused(o -> o.owner("line\nbreak"), "line?break", "printable");
        refused(o -> o.reason("x".repeat(513)), "xxx", "512");
        refused(o -> o.reason("half \ud800"), "reason", "Unicode");
        taken(o -> o.owner("x".repeat(512)).reason("y".repeat(512)));
    }

    @Test
    @DisplayName("metadata has at most 32 entries and 4096 characters")
    void metadata() {
        refused(
                o -> {
                    for (int i = 0; i < 33; i++) {
                        o.metadata("k" + i, "v");
                    }
                },
                "33",
                "32");
        refused(o -> o.metadata("key", "v".repeat(4_094)), "4097", "4096");
        refused(o -> o.metadata("", "v"), "metadata key", "1 to 128");
        refused(o -> o.metadata("k".repeat(129), "v"), "kkk", "128");
        taken(o -> o.metadata("key", "v".repeat(4_093)));
    }

    @Test
    @DisplayName("metadata must be valid text: half a character would come back as another")
    void metadataIsText() {
        refused(o -> o.metadata("key", "half \ud800 character"), "metadata", "Unicode");
    }

    @Test
    @DisplayName("paths are few, apart, not too deep and without empty segments")
    void paths() {
        refused(o -> o.alsoPaths("x", "x/y"), "'x/y'", "overlaps 'x'");
        refused(o -> o.alsoPaths("a//b"), "'a//b'", "empty segment");
        refused(o -> o.alsoPaths("/a"), "'/a'", "empty segment");
        refused(o -> o.alsoPaths("a/"), "'a/'", "empty segment");
        refused(o -> o.alsoPaths("a" + "/a".repeat(16)), "17 segments", "16");
        refused(
                o -> {
                    for (int i = 0; i < 16; i++) {
                        o.alsoPaths("p" + i);
                    }
                },
                "'17'",
                "16");
    }

    @Test
    @DisplayName("names and namespaces are bounded")
    void names() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKey.of("default", "n".repeat(Names.MAX_NAME + 1)))
                .withMessageContaining("512");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKey.of("default", ""))
                .withMessageContaining("1 to 512");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKey.of("name space", "x"))
                .withMessageContaining("'name space'")
                .withMessageContaining("letters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseId("short"))
                .withMessageContaining("8 to 128");
    }

    @Test
    @DisplayName("several locks are 1 to 100, and a lease id names only one")
    void several() {
        Node alice = node("alice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.acquireAll(List.of(), o -> {}))
                .withMessageContaining("1 to 100")
                .withMessageContaining("0");
        List<LockKey> many = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            many.add(LockKey.of("default", "lock-" + i));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.acquireAll(many, o -> {}))
                .withMessageContaining("101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.acquireAll(many.subList(0, 2), o -> o.leaseId(id("one"))))
                .withMessageContaining("lease id");
    }

    @Test
    @DisplayName("a renewal by lease id has the bounds of a lease")
    void renew() {
        Node alice = node("alice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.renew(KEY, id("a"), Duration.ofMillis(1)))
                .withMessageContaining("PT0.001S")
                .withMessageContaining("PT0.1S");
    }

    private void refused(Consumer<AcquireOptions> options, String value, String bound) {
        Node alice = node("alice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.tryAcquire(KEY.at("w"), options))
                .withMessageContaining(value)
                .withMessageContaining(bound);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Await.get(alice.client.acquireAsync(KEY.at("w"), options)));
        assertThat(alice.record().isIdle()).isTrue();
    }

    private void taken(Consumer<AcquireOptions> options) {
        Node alice = node("alice");
        try {
            assertThat(alice.client.tryAcquire(KEY, options).orThrow().release())
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
