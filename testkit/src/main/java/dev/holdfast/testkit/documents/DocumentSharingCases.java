package dev.holdfast.testkit.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Threads and clients on one place, and the end of one. */
abstract class DocumentSharingCases extends DocumentCases {
    private static final int THREADS = 8;

    @Test
    @DisplayName("see what the other wrote, at once, and refuse by its tag")
    void seeEachOther() {
        try (DocumentStore second = fixture().open()) {
            DocumentHead one = write(NAME, "one");
            assertThat(second.look(NAME)).contains(one);
            DocumentHead two = written(second.write(put(NAME, Condition.tagged(one.tag()), "two")));
            assertIs(two, "two");
            assertRefused(store().write(put(NAME, Condition.tagged(one.tag()), "late")), 0, Optional.of(two));
            assertThat(store().list(ListRequest.of("", 10)).heads()).containsExactly(two);
            second.write(Change.delete(NAME, Condition.tagged(two.tag())));
            assertAbsent(NAME);
        }
    }

    @Test
    @DisplayName("that count in one document lose nothing, and nobody reads half of one")
    void noLostUpdate() throws Exception {
        int rounds = fixture().rounds();
        store().write(Change.put(NAME, Condition.absent(), bytes(count(0)), Map.of()));
        AtomicBoolean done = new AtomicBoolean();
        try (DocumentStore second = fixture().open()) {
            List<Callable<Boolean>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                DocumentStore used = i % 2 == 0 ? store() : second;
                work.add(() -> increment(used, rounds));
            }
            CompletableFuture<Boolean> reading = Await.onThread(() -> readWhole(second, done));
            try {
                together(work);
                done.set(true);
                assertThat(reading.get()).isTrue();
            } finally {
                done.set(true);
            }
        }
        assertThat(value(store().get(NAME).orElseThrow())).isEqualTo(THREADS * rounds);
    }

    private static boolean increment(DocumentStore store, int rounds) {
        for (int made = 0; made < rounds; ) {
            Document now = store.get(NAME).orElseThrow();
            Change next = Change.put(
                    NAME,
                    Condition.tagged(now.head().tag()),
                    bytes(count(value(now) + 1)),
                    Map.of("count", Integer.toString(value(now) + 1)));
            made += store.write(next) instanceof WriteOutcome.Written ? 1 : 0;
        }
        return true;
    }

    /** The number over and over, so that a half written one would be seen. */
    private static String count(int value) {
        return (value + "\n").repeat(500);
    }

    private static int value(Document document) {
        String text = new String(document.content(), StandardCharsets.UTF_8);
        int value = Integer.parseInt(text.substring(0, text.indexOf('\n')));
        assertThat(text).isEqualTo(count(value));
        assertThat(document.head().size()).isEqualTo(text.length());
        assertThat(document.head().attributes().getOrDefault("count", "0")).isEqualTo(Integer.toString(value));
        return value;
    }

    private static boolean readWhole(DocumentStore store, AtomicBoolean done) {
        int last = 0;
        while (!done.get()) {
            int now = value(store.get(NAME).orElseThrow());
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }
        return true;
    }

    @Test
    @DisplayName("that all want to make the same document: one does, the others are told who")
    void oneMakesIt() throws Exception {
        List<Callable<WriteOutcome>> work = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String text = "by " + i;
            work.add(() -> store().write(put(NAME, Condition.absent(), text)));
        }
        List<WriteOutcome> outcomes = together(work);
        DocumentHead made = store().look(NAME).orElseThrow();
        assertThat(outcomes)
                .filteredOn(WriteOutcome.Written.class::isInstance)
                .containsExactly(new WriteOutcome.Written(List.of(made)));
        assertThat(outcomes)
                .filteredOn(WriteOutcome.Refused.class::isInstance)
                .hasSize(THREADS - 1)
                .allSatisfy(refused ->
                        assertThat(((WriteOutcome.Refused) refused).current()).isNotEmpty());
    }

    @Test
    @DisplayName("that write and delete documents with the same bytes at once never lose them for the others")
    void sameBytesAtOnce() throws Exception {
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String own = "own/" + i;
            work.add(() -> {
                for (int round = 0; round < fixture().rounds(); round++) {
                    allWritten(store().write(List.of(
                            put(own, Condition.none(), "same for all"),
                            put(own + "-history/" + round, Condition.absent(), "same for all"))));
                    assertThat(store().get(own).orElseThrow().content()).isEqualTo(bytes("same for all"));
                    allWritten(store().write(List.of(
                            Change.delete(own, Condition.none()),
                            Change.delete(own + "-history/" + round, Condition.none()))));
                }
                return true;
            });
        }
        together(work);
        assertThat(store().list(ListRequest.of("", 10)).heads()).isEmpty();
    }

    @Test
    @DisplayName(
            "go on when one is closed; the closed one says so, whatever it is asked, and closing it again does no harm")
    void closed() {
        assumeTrue(fixture().endsOnClose(), "all clients of this store are one object");
        DocumentStore closed = fixture().open();
        DocumentHead one = write(NAME, "one");
        closed.close();
        closed.close();
        assertUnavailable(() -> closed.look(NAME));
        assertUnavailable(() -> closed.get(NAME));
        assertUnavailable(() -> closed.write(put(NAME, Condition.none(), "two")));
        assertUnavailable(() -> closed.list(ListRequest.of("", 1)));
        assertIs(one, "one");
    }

    @Test
    @DisplayName("behind a line that is cut fail by name, and work again once it is healed")
    void cutLine() {
        assumeTrue(fixture().line().isPresent(), "this fixture has no line to cut");
        StoreFixture.Line line = fixture().line().orElseThrow();
        DocumentHead one = write(NAME, "one");
        line.cut();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().look(NAME));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> write(NAME, "two"));
        line.heal();
        Await.until("it works again", () -> {
            try {
                return store().look(NAME).isPresent();
            } catch (StoreException e) {
                return false;
            }
        });
        assertIs(one, "one");
    }

    @Test
    @DisplayName("say what they are")
    void traits() {
        assertThat(store().kind()).matches("[a-z0-9]+");
        assertThat(store().maxSize()).isPositive();
    }

    private static void assertUnavailable(ThrowingCallable call) {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(call)
                .withMessageContaining("closed");
    }

    /** What these give, each on a thread of its own. */
    private static <T> List<T> together(List<Callable<T>> work) throws Exception {
        List<T> results = new ArrayList<>();
        for (CompletableFuture<T> one : work.stream().map(Await::onThread).toList()) {
            results.add(one.get());
        }
        return results;
    }
}
