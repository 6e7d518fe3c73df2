package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.LockKey;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.test.FakeLocksExtension;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

@ExtendWith(FakeLocksExtension.class)
@SuppressWarnings("LockNotBeforeTry") // the extension sees whether all are released
@DisplayName("With Spring Integration 7 a lock of the registry")
class DistributedLockTest {
    static class Service {
        @Autowired
        LockRegistry<DistributedLock> registry;
    }

    @Test
    @DisplayName("is a DistributedLock, with a lease of its own length, wherever such a registry is asked for")
    void leases(FakeLocks locks) throws Exception {
        HoldfastLockRegistry made = new HoldfastLockRegistry(locks.client(), "orders");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(HoldfastLockRegistry.class, () -> made);
            context.register(Service.class);
            context.refresh();
            DistributedLock lock = context.getBean(Service.class).registry.obtain("a");
            lock.lock(Duration.ofMinutes(5));
            LockKey key = LockKey.of("orders", "a");
            assertThat(locks.holder(key).orElseThrow().expiresAt().orElseThrow())
                    .isEqualTo(locks.now().plus(Duration.ofMinutes(5)));
            assertThat(lock.tryLock(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                    .isTrue();
            RenewableLockRegistry<?> renewable = made;
            renewable.renewLock("a", Duration.ofMinutes(10));
            assertThat(locks.holder(key).orElseThrow().expiresAt().orElseThrow())
                    .isEqualTo(locks.now().plus(Duration.ofMinutes(10)));
            lock.unlock();
            lock.unlock();
            assertThat(locks.isHeld(key)).isFalse();
            LockRegistry<?> registry = made;
            registry.executeLocked("a", () -> {
                assertThat(locks.isHeld(key)).isTrue();
            });
            assertThat(locks.isHeld(key)).isFalse();
        }
    }
}
