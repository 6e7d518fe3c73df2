package dev.holdfast.server.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.server.SideBySide;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.http.Problem;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("stored tokens")
class StoredTokensTest {
    private final Documents documents = new Documents();
    private final List<StoredTokens> open = new ArrayList<>();

    /** One replica: what it was told last. */
    private final class Replica {
        volatile List<String> ids = List.of("not told yet");
        final StoredTokens tokens = StoredTokens.start(
                () -> documents,
                entries -> ids = entries.stream().map(TokenEntry::id).toList());

        Replica() {
            open.add(tokens);
        }

        void until(String... expected) {
            long start = System.nanoTime();
            Await.until("the replica knows " + List.of(expected), () -> ids.equals(List.of(expected)));
            // two seconds are promised; a third is for a machine that does many things at once
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        }
    }

    @AfterEach
    void close() {
        open.forEach(StoredTokens::close);
    }

    private static StoredToken token(String id) {
        return new StoredToken(
                id,
                TokenSecret.sha256("hf_" + id),
                Map.of("deploy", List.of("state"), "*", List.of("read")),
                Optional.of("builds"),
                Instant.parse("2030-01-01T00:00:00.123Z"),
                "ops",
                Optional.of(Instant.parse("2031-01-01T00:00:00.456Z")));
    }

    private static StoredTokens.Edit adding(StoredToken token) {
        return before -> {
            if (before.contains(token)) {
                return before;
            }
            List<StoredToken> after = new ArrayList<>(before);
            after.add(token);
            return after;
        };
    }

    @SideBySide
    @DisplayName("come back as they were written, with the hash and never the token")
    void roundTrip() throws Exception {
        byte[] written = TokenDocument.write(List.of(token("ci"), token("cd")));
        assertThat(TokenDocument.read(written)).containsExactly(token("ci"), token("cd"));
        assertThat(new String(written, StandardCharsets.UTF_8))
                .contains(TokenSecret.sha256("hf_ci"))
                .doesNotContain("hf_ci");
    }

    @SideBySide
    @DisplayName("are known to every replica within two seconds, and forgotten as fast")
    void replicas() {
        Replica one = new Replica();
        Replica two = new Replica();
        assertThat(one.ids).isEmpty();
        one.tokens.change(adding(token("ci")));
        assertThat(one.ids).containsExactly("ci");
        two.until("ci");
        two.tokens.change(before -> List.of());
        assertThat(two.ids).isEmpty();
        one.until();
    }

    @SideBySide
    @DisplayName("are read only when they have changed")
    void cheap() {
        Replica one = new Replica();
        one.tokens.change(adding(token("ci")));
        int reads = documents.reads.get();
        int looks = documents.looks.get();
        Await.until("it has looked three times", () -> documents.looks.get() > looks + 3);
        assertThat(documents.reads).hasValue(reads);
    }

    @SideBySide
    @DisplayName("changed by many at once are all there")
    void contention() {
        Replica one = new Replica();
        Replica two = new Replica();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            StoredToken token = token("t" + i);
            StoredTokens by = i % 2 == 0 ? one.tokens : two.tokens;
            all.add(CompletableFuture.runAsync(() -> by.change(adding(token))));
        }
        all.forEach(CompletableFuture::join);
        assertThat(one.tokens.fetch()).extracting(StoredToken::id).hasSize(8);
    }

    @SideBySide
    @DisplayName("stay in use while the store is away, and follow it when it is back")
    void outage() {
        Replica one = new Replica();
        one.tokens.change(adding(token("ci")));
        documents.away = true;
        assertThatThrownBy(() -> one.tokens.change(adding(token("cd")))).isInstanceOf(StoreUnavailableException.class);
        int looks = documents.looks.get();
        Await.until("it has looked twice", () -> documents.looks.get() > looks + 2);
        assertThat(one.ids).containsExactly("ci");
        documents.away = false;
        new Replica().tokens.change(before -> List.of());
        one.until();
    }

    @SideBySide
    @DisplayName("are written once, also if the answer of the store is lost")
    void lostAnswer() {
        Replica one = new Replica();
        documents.loseAnswers.set(1);
        one.tokens.change(adding(token("ci")));
        assertThat(one.tokens.fetch()).containsExactly(token("ci"));
        documents.loseAnswers.set(1);
        documents.awayAfterLoss = true;
        assertThatThrownBy(() -> one.tokens.change(adding(token("cd")))).isInstanceOf(OutcomeUnknownException.class);
    }

    @SideBySide
    @DisplayName("that cannot be understood are never written over, and those known before stay in use")
    void damaged() {
        Replica one = new Replica();
        one.tokens.change(adding(token("ci")));
        for (String content : List.of(
                "{",
                "[]",
                "{\"format\":2,\"tokens\":[]}",
                "{\"format\":1}",
                "{\"format\":1,\"tokens\":[{\"id\":\"x\"}]}")) {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            documents.write(Change.put(StoredTokens.NAME, Condition.none(), bytes, Map.of()));
            int reads = documents.reads.get();
            Await.until("it has read it", () -> documents.reads.get() > reads);
            assertThat(one.ids).containsExactly("ci");
            assertThatThrownBy(() -> one.tokens.change(adding(token("cd"))))
                    .isInstanceOf(StoreUnusableException.class)
                    .hasMessageContaining("cannot be understood");
            assertThat(documents.get(StoredTokens.NAME).orElseThrow().content()).isEqualTo(bytes);
        }
    }

    @SideBySide
    @DisplayName("with a role that this version does not know are refused alone")
    void newer() {
        StoredToken odd = new StoredToken(
                "odd",
                TokenSecret.sha256("hf_odd"),
                Map.of("deploy", List.of("emperor")),
                Optional.empty(),
                Instant.EPOCH,
                "ops",
                Optional.empty());
        Replica one = new Replica();
        one.tokens.change(before -> List.of(odd, token("ci")));
        assertThat(one.ids).containsExactly("ci");
        assertThat(one.tokens.fetch()).as("and not lost").containsExactly(odd, token("ci"));
    }

    @SideBySide
    @DisplayName("cannot be kept everywhere: then those of the configuration count, and the call says so")
    void nowhere() {
        List<List<TokenEntry>> told = new ArrayList<>();
        StoredTokens tokens = StoredTokens.start(
                () -> {
                    throw new IllegalArgumentException("no documents here");
                },
                told::add);
        open.add(tokens);
        assertThat(told).containsExactly(List.of());
        assertThatThrownBy(() -> tokens.change(adding(token("ci"))))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("no documents here");
    }

    @SideBySide
    @DisplayName("are at most a thousand, and a megabyte; those that expired a month ago make room")
    void bounded() {
        Replica one = new Replica();
        List<String> roles = Collections.nCopies(100, "read");
        Map<String, List<String>> many = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            many.put("namespace-" + i, roles);
        }
        List<StoredToken> large = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            StoredToken small = token("t" + i);
            large.add(new StoredToken(
                    small.id(), small.sha256(), many, small.group(), small.createdAt(), "ops", small.expiresAt()));
        }
        assertThatThrownBy(() -> one.tokens.change(before -> large))
                .isInstanceOfSatisfying(
                        Problem.Refused.class,
                        e -> assertThat(e.problem().code()).isEqualTo("too-many-tokens"));

        Instant end = token("x").expiresAt().orElseThrow();
        try (Authenticator authenticator = Authenticator.of(AuthConfig.UNSET)) {
            List<StoredToken> full = new ArrayList<>();
            for (int i = 0; i < StoredTokens.MAX_TOKENS; i++) {
                full.add(token("t" + i));
            }
            TokenRoutes soon = routes(authenticator, end.plus(Duration.ofDays(29)));
            assertThatThrownBy(() -> soon.with(token("new"), full))
                    .isInstanceOfSatisfying(
                            Problem.Refused.class,
                            e -> assertThat(e.problem().code()).isEqualTo("too-many-tokens"));
            TokenRoutes later = routes(authenticator, end.plus(Duration.ofDays(31)));
            assertThat(later.with(token("new"), full))
                    .extracting(StoredToken::id)
                    .containsExactly("new");
            soon.close();
            later.close();
        }
    }

    private static TokenRoutes routes(Authenticator authenticator, Instant now) {
        return new TokenRoutes(
                authenticator, Optional.empty(), (type, caller, id) -> {}, Clock.fixed(now, ZoneOffset.UTC));
    }

    /** Documents in memory that count, and fail when told to. */
    private static final class Documents implements DocumentStore {
        private final MemoryDocuments inner = new MemoryDocuments();
        final AtomicInteger looks = new AtomicInteger();
        final AtomicInteger reads = new AtomicInteger();
        volatile boolean away;
        final AtomicInteger loseAnswers = new AtomicInteger();
        volatile boolean awayAfterLoss;

        private void check() {
            if (away) {
                throw new StoreUnavailableException("away", null);
            }
        }

        @Override
        public String kind() {
            return inner.kind();
        }

        @Override
        public long maxSize() {
            return inner.maxSize();
        }

        @Override
        public boolean isAtomic() {
            return inner.isAtomic();
        }

        @Override
        public Optional<DocumentHead> look(String name) {
            looks.incrementAndGet();
            check();
            return inner.look(name);
        }

        @Override
        public Optional<Document> get(String name) {
            check();
            reads.incrementAndGet();
            return inner.get(name);
        }

        @Override
        public WriteOutcome write(List<Change> changes) {
            check();
            WriteOutcome outcome = inner.write(changes);
            if (loseAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                away = awayAfterLoss;
                throw new OutcomeUnknownException("lost", null);
            }
            return outcome;
        }

        @Override
        public DocumentPage list(ListRequest request) {
            return inner.list(request);
        }

        @Override
        public void close() {}
    }
}
