package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A guard whose store fails in the middle of a call")
class FailingStoreTest {
    private static final String FAILURE = "the disk is on fire";

    /** A guard whose documents fail from their n-th use on. */
    private static final class Failing {
        private final AtomicInteger left;
        private boolean failed;
        private final LocalGuard guard;

        Failing(Rig rig, int steps) {
            left = new AtomicInteger(steps);
            guard = rig.on(new StartDuringStopTest.Stepped(rig.documents, this::step), rig.apps, rig.machines);
        }

        private void step() {
            if (left.getAndDecrement() <= 0) {
                failed = true;
                throw new StoreUnavailableException(FAILURE, null);
            }
        }
    }

    private static void assertStored(GuardAnswer answer, String what, boolean failed, GuardOutcome otherwise) {
        GuardDecision decision = Rig.only(answer);
        if (decision.outcome() != otherwise || failed) {
            assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
            assertThat(decision.reason()).contains("the " + what + " is stored", "continues by itself", FAILURE);
        }
    }

    @Test
    @DisplayName("fails only if the stop is not stored: a stored one is pending, says why, and is done later")
    void stop() throws Exception {
        int pending = 0;
        boolean failed = true;
        for (int step = 0; failed; step++) {
            try (Rig rig = new Rig().sharing("a")) {
                rig.apps.are(ProbeStatus.REFUSED, "a");
                Failing failing = new Failing(rig, step);
                Optional<GuardAnswer> answer = answered(() -> failing.guard.stop("a"));
                failed = failing.failed;
                DesiredState desired = rig.guard.app("a").desired();
                if (answer.isEmpty()) {
                    // The write itself may be done when its answer is lost: a real store then says that it is not
                    // known.
                    assertThat(pending).as("step %d", step).isZero();
                    continue;
                }
                assertThat(desired).as("step %d", step).isEqualTo(DesiredState.STOPPED);
                assertStored(answer.get(), "stop", failed, GuardOutcome.STOPPED);
                pending += failed ? 1 : 0;
                for (int i = 0; i < 5; i++) {
                    rig.guard.reconcile(Rig.DB);
                }
                assertThat(rig.machines.of(Rig.DB)).as("step %d", step).isEqualTo(ResourceState.STOPPED);
            }
        }
        assertThat(pending).isGreaterThan(5);
    }

    @Test
    @DisplayName("fails only if the start is not stored: a stored one is pending, says why, and is done later")
    void start() throws Exception {
        int pending = 0;
        boolean failed = true;
        for (int step = 0; failed; step++) {
            try (Rig rig = new Rig().sharing("a")) {
                rig.apps.are(ProbeStatus.REFUSED, "a");
                assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.STOPPED);
                Failing failing = new Failing(rig, step);
                Optional<GuardAnswer> answer = answered(() -> failing.guard.start("a"));
                failed = failing.failed;
                if (answer.isEmpty()) {
                    assertThat(pending).as("step %d", step).isZero();
                    continue;
                }
                assertThat(rig.guard.app("a").startingUntil())
                        .as("step %d", step)
                        .isPresent();
                assertStored(answer.get(), "start", failed, GuardOutcome.STARTED);
                pending += failed ? 1 : 0;
                for (int i = 0; i < 5; i++) {
                    rig.guard.reconcile(Rig.DB);
                }
                assertThat(rig.machines.of(Rig.DB)).as("step %d", step).isEqualTo(ResourceState.RUNNING);
            }
        }
        assertThat(pending).isGreaterThan(3);
    }

    private interface Call {
        GuardAnswer get() throws InterruptedException;
    }

    private static Optional<GuardAnswer> answered(Call call) throws InterruptedException {
        try {
            return Optional.of(call.get());
        } catch (StoreUnavailableException e) {
            return Optional.empty();
        }
    }

    @Test
    @DisplayName("answers pending if the locks are gone, or it is closed, once the stop is stored")
    void withoutLocks() throws Exception {
        try (Rig rig = new Rig().sharing("a")) {
            rig.apps.are(ProbeStatus.REFUSED, "a");
            rig.locks.close();
            GuardDecision decision = rig.stop("a");
            assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
            assertThat(decision.reason()).contains("the stop is stored", "continues by itself");
            assertThat(rig.guard.app("a").desired()).isEqualTo(DesiredState.STOPPED);
        }
        try (Rig rig = new Rig().sharing("a")) {
            LocalGuard closed = rig.another();
            closed.close();
            GuardDecision decision = Rig.only(closed.stop("a"));
            assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
            assertThat(decision.reason()).contains("the stop is stored", "continues by itself", "closed");
            assertThat(rig.guard.app("a").desired()).isEqualTo(DesiredState.STOPPED);
            assertThatThrownBy(() -> closed.checkStop("a"))
                    .as("nothing is stored by a check")
                    .isInstanceOf(GuardBusyException.class)
                    .hasMessageNotContaining("stored");
        }
    }

    @Test
    @DisplayName("never says that nothing was changed of an app that is registered, or of some that are")
    void register() throws Exception {
        boolean failed = true;
        int unknown = 0;
        for (int step = 0; failed; step++) {
            try (Rig rig = new Rig()) {
                Failing failing = new Failing(rig, step);
                try {
                    failing.guard.registerAll(List.of(
                            Rig.app("a", Rig.use("postgres", "db1")), Rig.app("b", Rig.use("postgres", "db2"))));
                    assertThat(rig.guard.apps()).extracting(App::name).containsExactly("a", "b");
                } catch (OutcomeUnknownException e) {
                    unknown++;
                    assertThat(e).hasMessageContainingAll("a", FAILURE, "again");
                } catch (StoreUnavailableException e) {
                    assertThat(unknown).as("step %d", step).isZero();
                }
                failed = failing.failed;
            }
        }
        assertThat(unknown).isGreaterThan(5);
    }

    @Test
    @DisplayName("never says that nothing was changed of one app that is registered and cannot be read back")
    void registerOne() throws Exception {
        boolean failed = true;
        int unknown = 0;
        for (int step = 0; failed; step++) {
            try (Rig rig = new Rig()) {
                Failing failing = new Failing(rig, step);
                try {
                    assertThat(failing.guard
                                    .register(Rig.app("a", Rig.use("postgres", "db1")))
                                    .app()
                                    .name())
                            .isEqualTo("a");
                } catch (OutcomeUnknownException e) {
                    unknown++;
                    assertThat(e).hasMessageContainingAll("'a'", FAILURE, "again");
                } catch (StoreUnavailableException e) {
                    assertThat(unknown).as("step %d", step).isZero();
                }
                failed = failing.failed;
            }
        }
        assertThat(unknown).isGreaterThan(2);
    }

    @Test
    @DisplayName("says that an app is forgotten once it is, also if its documents are removed later")
    void unregister() throws Exception {
        boolean failed = true;
        int later = 0;
        for (int step = 0; failed; step++) {
            try (Rig rig = new Rig().sharing("a")) {
                Failing failing = new Failing(rig, step);
                boolean gone = false;
                try {
                    gone = failing.guard.unregister("a");
                    assertThat(gone).as("step %d", step).isTrue();
                    assertThat(rig.guard.apps()).isEmpty();
                } catch (StoreUnavailableException e) {
                    assertThat(later).as("step %d", step).isZero();
                }
                failed = failing.failed;
                later += gone && failed ? 1 : 0;
                if (gone) {
                    rig.guard.lookAround();
                    assertThat(new GuardDocuments(rig.documents).app("a")).isEmpty();
                }
            }
        }
        assertThat(later).isGreaterThan(2);
    }

    /** Writes as a store that is not atomic: refuses after the first change of several, and is gone from then on. */
    private static final class Torn implements DocumentStore {
        private final DocumentStore documents;
        private boolean gone;

        Torn(DocumentStore documents) {
            this.documents = documents;
        }

        private DocumentStore there() {
            if (gone) {
                throw new StoreUnavailableException(FAILURE, null);
            }
            return documents;
        }

        @Override
        public String kind() {
            return documents.kind();
        }

        @Override
        public long maxSize() {
            return documents.maxSize();
        }

        @Override
        public boolean isAtomic() {
            return false;
        }

        @Override
        public Optional<DocumentHead> look(String name) {
            return there().look(name);
        }

        @Override
        public Optional<Document> get(String name) {
            return there().get(name);
        }

        @Override
        public WriteOutcome write(List<Change> changes) {
            assertThat(there().write(changes.get(0))).isInstanceOf(WriteOutcome.Written.class);
            gone = true;
            return new WriteOutcome.Refused(1, Optional.empty());
        }

        @Override
        public DocumentPage list(ListRequest request) {
            return there().list(request);
        }

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("does not say that nothing was changed where a refused write was made in part")
    void madeInPart() throws Exception {
        try (Rig rig = new Rig().sharing("a")) {
            LocalGuard torn = rig.on(new Torn(rig.documents), rig.apps, rig.machines);
            assertThatThrownBy(() -> torn.stop("a"))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContainingAll("app 'a'", FAILURE);
            assertThat(rig.guard.app("a").desired()).isEqualTo(DesiredState.STOPPED);
        }
        try (Rig rig = new Rig()) {
            LocalGuard torn = rig.on(new Torn(rig.documents), rig.apps, rig.machines);
            assertThatThrownBy(() -> torn.register(Rig.app("a", Rig.use("postgres", "db1"))))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContainingAll("app 'a'", FAILURE);
            assertThat(rig.guard.app("a").name()).isEqualTo("a");
        }
        try (Rig rig = new Rig().sharing("a")) {
            LocalGuard torn = rig.on(new Torn(rig.documents), rig.apps, rig.machines);
            assertThatThrownBy(() -> torn.unregister("a"))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContainingAll("app 'a'", FAILURE);
            assertThat(rig.guard.apps()).isEmpty();
        }
    }
}
