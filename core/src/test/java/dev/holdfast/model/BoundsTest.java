package dev.holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that cannot be wrong: each breach names the value and the bound. */
class BoundsTest {
    private static final Terms TERMS = Terms.of(Duration.ofSeconds(30));

    static Stream<Arguments> breaches() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 33; i++) {
            many.put("k" + i, "v");
        }
        List<LockPath> paths = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            paths.add(LockPath.of("p" + i));
        }
        Duration lease = Duration.ofSeconds(30);
        return Stream.of(
                breach("namespace: empty", () -> new RecordKey("", "n"), "namespace", "1 to 64"),
                breach("namespace: long", () -> new RecordKey("n".repeat(65), "n"), "nnn", "1 to 64", "65"),
                breach("namespace: characters", () -> new RecordKey("a/b", "n"), "'a/b'", "letters, digits"),
                breach("namespace: not ASCII", () -> new RecordKey("ä", "n"), "'ä'", "letters, digits"),
                breach("name: empty", () -> new RecordKey("n", ""), "lock name", "1 to 512"),
                breach("name: long", () -> new RecordKey("n", "x".repeat(513)), "xxx", "512", "513"),
                breach("name: control", () -> new RecordKey("n", "a\tb"), "'a?b'", "printable", "character 2"),
                breach("name: C1 control", () -> new RecordKey("n", "a\u0085b"), "printable", "character 2"),
                breach("name: line separator", () -> new RecordKey("n", "a\u2028b"), "printable", "character 2"),
                breach("name: lone high surrogate", () -> new RecordKey("n", "ab\ud83d"), "surrogate", "character 3"),
                breach("name: lone low surrogate", () -> new RecordKey("n", "\ude00b"), "surrogate", "character 1"),
                breach("path: leading slash", () -> LockPath.of("/a"), "'/a'", "empty segment"),
                breach("path: trailing slash", () -> LockPath.of("a/"), "'a/'", "empty segment"),
                breach("path: double slash", () -> LockPath.of("a//b"), "'a//b'", "empty segment"),
                breach("path: deep", () -> LockPath.of("a" + "/a".repeat(16)), "17 segments", "16"),
                breach("path: long", () -> LockPath.of("x".repeat(513)), "xxx", "512"),
                breach("path: control", () -> LockPath.of("a\n"), "printable"),
                breach("scope: none", () -> new Scope(List.of(), Mode.SHARED), "'0'", "1 and 16"),
                breach("scope: many", () -> new Scope(paths, Mode.SHARED), "'17'", "1 and 16"),
                breach(
                        "scope: overlap",
                        () -> new Scope(List.of(LockPath.of("a/b"), LockPath.of("a")), Mode.SHARED),
                        "'a/b'",
                        "overlaps 'a'"),
                breach(
                        "scope: twice",
                        () -> new Scope(List.of(LockPath.of("a"), LockPath.of("a")), Mode.SHARED),
                        "'a'",
                        "overlaps 'a'"),
                breach("permit: none", () -> Mode.permit(0), "'0'", "1 and 1000"),
                breach("permit: many", () -> Mode.permit(1_001), "'1001'", "1 and 1000"),
                breach("token: negative", () -> new Token(-1), "'-1'", "negative"),
                breach("lease id: short", () -> new LeaseId("1234567"), "lease id", "8 to 128", "7"),
                breach("lease id: long", () -> new LeaseId("1".repeat(129)), "lease id", "8 to 128", "129"),
                breach("lease id: characters", () -> new LeaseId("12345678/"), "lease id", "character 9"),
                breach("engine id: empty", () -> new EngineId(""), "1 to 64"),
                breach("lease: short", () -> Terms.of(Duration.ofMillis(99)), "PT0.099S", "PT0.1S", "PT24H"),
                breach("lease: long", () -> Terms.of(Duration.ofHours(25)), "PT25H", "PT24H"),
                breach("lease: negative", () -> Terms.of(Duration.ofSeconds(-1)), "PT-1S", "PT0.1S"),
                breach(
                        "renewal: longer than the lease",
                        () -> new Terms(lease, Duration.ofSeconds(31), Duration.ZERO, Map.of(), ""),
                        "PT31S",
                        "PT30S"),
                breach(
                        "renewal: negative",
                        () -> new Terms(lease, Duration.ofSeconds(-1), Duration.ZERO, Map.of(), ""),
                        "PT-1S",
                        "PT30S"),
                breach(
                        "minimum hold: negative",
                        () -> new Terms(lease, lease, Duration.ofSeconds(-1), Map.of(), ""),
                        "PT-1S",
                        "PT24H"),
                breach(
                        "minimum hold: long",
                        () -> new Terms(lease, lease, Duration.ofHours(25), Map.of(), ""),
                        "PT25H",
                        "PT24H"),
                breach("metadata: many", () -> new Terms(lease, lease, Duration.ZERO, many, ""), "33", "32"),
                breach(
                        "metadata: long",
                        () -> new Terms(lease, lease, Duration.ZERO, Map.of("k", "v".repeat(4_096)), ""),
                        "4097",
                        "4096"),
                breach(
                        "metadata: key",
                        () -> new Terms(lease, lease, Duration.ZERO, Map.of("k\n", "v"), ""),
                        "metadata key",
                        "printable"),
                breach(
                        "reason: long",
                        () -> new Terms(lease, lease, Duration.ZERO, Map.of(), "x".repeat(513)),
                        "reason",
                        "512"),
                breach("owner: empty", () -> hold("", Hold.Phase.HELD, Optional.empty()), "owner", "1 to 512"),
                breach("hold: ticket while held", () -> hold("o", Hold.Phase.HELD, Optional.of(waiter("w"))), "HELD"),
                breach("hold: offer without ticket", () -> hold("o", Hold.Phase.OFFERED, Optional.empty()), "OFFERED"),
                breach("waiter: owner", () -> waiter(""), "owner", "1 to 512"),
                breach("claim: short", () -> Waiter.claimWithin(Duration.ofMillis(1)), "PT0.001S", "PT0.1S", "PT1M"),
                breach("claim: long", () -> Waiter.claimWithin(Duration.ofSeconds(61)), "PT1M1S", "PT1M"),
                breach("done: generation", () -> new Done("", "by", Token.NONE, Instant.EPOCH), "generation", "1 to"));
    }

    private static Arguments breach(String name, Callable<?> make, String... told) {
        return arguments(name, make, told);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("breaches")
    void breachNamesValueAndBound(String name, Callable<?> make, String[] told) {
        assertThatIllegalArgumentException()
                .isThrownBy(make::call)
                .satisfies(e -> assertThat(e.getMessage()).contains(told));
    }

    @Test
    @DisplayName("a message shows no more of a long value than a line")
    void longValuesAreCut() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKey.of("default", "x".repeat(10_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    }

    @Test
    @DisplayName("values at their bounds are taken")
    void atTheBounds() {
        assertThat(new RecordKey("n".repeat(64), "😀".repeat(256)).name()).hasSize(512);
        assertThat(LockPath.of("a" + "/a".repeat(15)).value()).hasSize(31);
        assertThat(Mode.permit(1_000).limit()).isEqualTo(1_000);
        assertThat(Terms.of(Terms.MIN_LEASE).lease()).isEqualTo(Terms.MIN_LEASE);
        assertThat(Terms.of(Times.FOREVER).lease()).isEqualTo(Times.FOREVER);
        assertThat(Waiter.claimWithin(Duration.ZERO)).isZero();
    }

    @Test
    @DisplayName("a lease id shows only its fingerprint, which is the same everywhere and for ever")
    void leaseIdIsSecret() {
        LeaseId id = new LeaseId("secret-lease-id");
        assertThat(id.toString()).doesNotContain("secret").startsWith("lease#");
        assertThat(new LeaseId("00000000000000000000000000000000").fingerprint())
                .isEqualTo(LeaseId.ofBits(0, 0).fingerprint());
        assertThat(LeaseId.ofBits(-1, 1).value()).isEqualTo("ffffffffffffffff0000000000000001");
    }

    @Test
    @DisplayName("paths overlap when one contains the other, by whole segments")
    void overlap() {
        assertThat(LockPath.of("a/b").overlaps(LockPath.of("a"))).isTrue();
        assertThat(LockPath.of("a").overlaps(LockPath.of("a/b/c"))).isTrue();
        assertThat(LockPath.WHOLE.overlaps(LockPath.of("a"))).isTrue();
        assertThat(LockPath.of("a").overlaps(LockPath.of("a"))).isTrue();
        assertThat(LockPath.of("a").overlaps(LockPath.of("ab"))).isFalse();
        assertThat(LockPath.of("a/b").overlaps(LockPath.of("a/c"))).isFalse();
    }

    @Test
    @DisplayName("only the newest 32 ended leases are remembered")
    void pastIsBounded() {
        Past past = Past.NONE;
        for (int i = 0; i < 40; i++) {
            past = past.with(LeaseId.ofBits(0, i), LostReason.RELEASED, Instant.ofEpochSecond(i));
        }
        assertThat(past.ended().size()).isEqualTo(32);
        assertThat(past.how(LeaseId.ofBits(0, 7))).isEmpty();
        assertThat(past.how(LeaseId.ofBits(0, 8))).contains(LostReason.RELEASED);
        assertThat(past.keepUntil()).isEqualTo(Instant.ofEpochSecond(39).plus(Past.KEEP_ENDED));
    }

    @Test
    @DisplayName("a token is above the last and not below the clock")
    void nextToken() {
        assertThat(new Token(5).next(3)).isEqualTo(new Token(6));
        assertThat(new Token(5).next(100)).isEqualTo(new Token(100));
        assertThat(new Token(5).next(5)).isEqualTo(new Token(6));
    }

    @Test
    @DisplayName("a hold looks stale after the given time or two renewals; without renewal only if it never ends")
    void staleAt() {
        Duration after = Duration.ofMinutes(2);
        assertThat(hold("o", Hold.Phase.HELD, Optional.empty()).staleAt(after)).isEqualTo(Instant.EPOCH.plus(after));
        assertThat(hold("o", Hold.Phase.HELD, Optional.empty()).staleAt(Duration.ofSeconds(1)))
                .isEqualTo(Instant.EPOCH.plusSeconds(20));
        Terms quiet = new Terms(Duration.ofSeconds(30), Duration.ZERO, Duration.ZERO, Map.of(), "");
        assertThat(hold(quiet, Instant.MAX).staleAt(after)).isEqualTo(Times.NEVER);
        assertThat(hold(quiet, Times.NEVER).staleAt(after)).isEqualTo(Instant.EPOCH.plus(after));
    }

    private static Hold hold(String owner, Hold.Phase phase, Optional<Waiter> ticket) {
        return new Hold(
                LeaseId.ofBits(1, 1),
                Scope.WHOLE,
                owner,
                new Token(1),
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                TERMS,
                phase,
                ticket,
                false);
    }

    private static Hold hold(Terms terms, Instant expiresAt) {
        return new Hold(
                LeaseId.ofBits(1, 1),
                Scope.WHOLE,
                "o",
                new Token(1),
                Instant.EPOCH,
                Instant.EPOCH,
                expiresAt,
                terms,
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    private static Waiter waiter(String owner) {
        return new Waiter(
                LeaseId.ofBits(1, 1), Scope.WHOLE, owner, new EngineId("e"), Duration.ZERO, Instant.EPOCH, false);
    }
}
