package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.testkit.Await;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;

/** What ShedLock asks of every provider whose locks can be extended, as it is published. */
abstract class ShedLockContract extends AbstractExtensibleLockProviderIntegrationTest {
    /** One for all tests of a class: each has a lock of its own. */
    abstract LockClient client();

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new HoldfastLockProvider(client());
    }

    /** Soon: a lease lasts 100 ms even if ShedLock's tests ask for 2 ms, and its end is judged on the safe side of the store's clock. */
    @Override
    protected void assertUnlocked(String name) {
        Await.until("lock " + name + " is free", () -> isFree(name));
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(isFree(name)).isFalse();
    }

    private boolean isFree(String name) {
        return client().inspect().get(client().key(name)).isFree();
    }
}
