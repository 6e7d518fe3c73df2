package dev.holdfast.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.model.Account;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule 6: who knows a lease id, but did not take the lock, changes nothing. */
@DisplayName("a hold belongs to the account that took it")
class AccountRulesTest {
    private static final LeaseId ID = new LeaseId("lease-id-a");
    private static final Account OURS = new Account("ci-shop", "shop");
    private static final Account COLLEAGUE = new Account("ci-shop-2", "shop");
    private static final Account OTHER = new Account("ci-blog", "blog");
    private static final Account ALONE = new Account("ci-shop-3", "");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final LockRules rules = new LockRules();
    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private LockRecord record = LockRecord.empty(new RecordKey("default", "lock"));

    private <R> R apply(Command<R> command) {
        Decision<R> decision =
                command.applyTo(rules, record, Moment.exactly(now), DecidingEngine.of(new EngineId("here")));
        record = decision.record();
        return decision.result();
    }

    private AcquireResult take(Account account) {
        return apply(new Command.Acquire(ID, Scope.WHOLE, "pod", Terms.of(LEASE).by(account), Optional.empty()));
    }

    private RenewResult renew(Account account) {
        return apply(new Command.Renew(ID, Optional.empty(), account));
    }

    private ReleaseResult release(Account account) {
        return apply(new Command.Release(ID, Command.Ending.RELEASED, account));
    }

    @Test
    @DisplayName("another one neither renews it, nor gives it back, nor takes it again")
    void others() {
        take(OURS);
        LockRecord before = record;
        for (Account other : new Account[] {OTHER, ALONE}) {
            assertThat(renew(other)).isEqualTo(new RenewResult.Lost(LostReason.REUSED));
            assertThat(release(other)).isEqualTo(ReleaseResult.NOT_HELD);
            assertThat(take(other)).isEqualTo(new AcquireResult.Lost(LostReason.REUSED));
            assertThat(record.holds()).isEqualTo(before.holds());
        }
    }

    @Test
    @DisplayName("it itself does, and so does one of its group")
    void itself() {
        take(OURS);
        for (Account may : new Account[] {OURS, COLLEAGUE}) {
            assertThat(renew(may)).isInstanceOf(RenewResult.Renewed.class);
            assertThat(take(may)).isInstanceOf(AcquireResult.Granted.class);
        }
        assertThat(release(COLLEAGUE)).isEqualTo(ReleaseResult.RELEASED);
        assertThat(record.holds()).isEmpty();
    }

    @Test
    @DisplayName("whoever is not asked for a name acts on all, and what nobody in particular took is anybody's")
    void nobody() {
        take(OURS);
        assertThat(renew(Account.NONE)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(release(Account.NONE)).isEqualTo(ReleaseResult.RELEASED);
        record = LockRecord.empty(record.key());
        take(Account.NONE);
        assertThat(renew(OTHER)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(release(OTHER)).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    @DisplayName("a renewal keeps whose it is")
    void kept() {
        take(OURS);
        renew(COLLEAGUE);
        assertThat(record.holds())
                .extracting(Hold::terms)
                .extracting(Terms::account)
                .containsExactly(OURS);
        assertThat(record.holds().get(0).terms().bare().account()).isEqualTo(OURS);
        assertThat(record.holds().get(0).terms().withLease(LEASE.plusSeconds(1)).account())
                .isEqualTo(OURS);
    }

    @Test
    @DisplayName("a group needs a name in it")
    void groupOfNobody() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Account("", "shop"))
                .withMessageContaining("'shop'");
        assertThat(new Account("a", "").mayActFor(new Account("b", ""))).isFalse();
    }
}
