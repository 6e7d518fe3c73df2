package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.LeaseLostException;
import dev.holdfast.model.LostReason;
import dev.holdfast.spring.fake.FakeLocksConfiguration;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("@WithLock beside")
class WithOthersTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
            .withUserConfiguration(FakeLocksConfiguration.class);

    /** Transactions of nothing, which tell whether the lock is held when they begin and end. */
    static class Transactions extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        private final transient FakeLocks locks;
        final transient List<String> seen = new ArrayList<>();
        private transient boolean active;

        Transactions(FakeLocks locks) {
            this.locks = locks;
        }

        private void see(String what) {
            seen.add(what + (locks.isHeld("stock") ? " locked" : " free"));
        }

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return active;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            active = true;
            see("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            see("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            see("rollback");
        }

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            active = false;
        }
    }

    static class Stock {
        @Transactional
        @WithLock(name = "stock")
        public void book() {}

        @WithLock(name = "stock", onBusy = OnBusy.FAIL)
        public void count() {}
    }

    @Configuration
    @EnableTransactionManagement
    static class WithTransactions {
        @Bean
        Transactions transactions(FakeLocks locks) {
            return new Transactions(locks);
        }

        @Bean
        Stock stock() {
            return new Stock();
        }
    }

    @Test
    @DisplayName("@Transactional is taken before the transaction, and released after its commit")
    void transactional() {
        application.withUserConfiguration(WithTransactions.class).run(context -> {
            context.getBean(Stock.class).book();
            assertThat(context.getBean(Transactions.class).seen).containsExactly("begin locked", "commit locked");
            assertThat(context.getBean(FakeLocks.class).openLeases()).isEmpty();
        });
    }

    @Test
    @DisplayName("a transaction that has begun is released after its end, and lasts for further calls in it")
    void outerTransaction() {
        application.withUserConfiguration(WithTransactions.class).run(context -> {
            Stock stock = context.getBean(Stock.class);
            Transactions transactions = context.getBean(Transactions.class);
            FakeLocks locks = context.getBean(FakeLocks.class);
            TransactionTemplate template = new TransactionTemplate(transactions);
            template.executeWithoutResult(status -> {
                stock.count();
                assertThat(locks.isHeld("stock")).isTrue();
                stock.count();
                stock.book();
            });
            assertThat(transactions.seen).containsExactly("begin free", "commit locked");
            assertThat(locks.openLeases()).isEmpty();
            assertThat(CurrentLease.find()).isEmpty();

            template.executeWithoutResult(status -> {
                stock.count();
                status.setRollbackOnly();
            });
            assertThat(transactions.seen).endsWith("rollback locked");
            assertThat(locks.openLeases()).isEmpty();

            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> template.executeWithoutResult(status -> {
                        stock.count();
                        locks.lose("stock", LostReason.FORCED);
                    }));
            assertThat(transactions.seen).endsWith("rollback free");
        });
    }

    static class Tasks {
        final CountDownLatch go = new CountDownLatch(1);
        final CompletableFuture<Boolean> scheduled = new CompletableFuture<>();
        final CompletableFuture<Boolean> async = new CompletableFuture<>();

        @Async
        @WithLock(name = "async")
        public void later() throws InterruptedException {
            boolean came = go.await(60, TimeUnit.SECONDS);
            async.complete(came && CurrentLease.get().isValid());
        }

        @Scheduled(fixedDelay = 60, timeUnit = TimeUnit.MINUTES)
        @WithLock(name = "scheduled", onBusy = OnBusy.SKIP)
        public void regularly() {
            scheduled.complete(CurrentLease.find().isPresent());
        }

        CompletableFuture<Boolean> scheduled() {
            return scheduled;
        }

        CompletableFuture<Boolean> async() {
            return async;
        }

        void go() {
            go.countDown();
        }
    }

    @Configuration
    @EnableAsync(proxyTargetClass = true)
    @EnableScheduling
    static class WithTasks {
        @Bean
        Tasks tasks() {
            return new Tasks();
        }
    }

    @Test
    @DisplayName("@Async is held by the thread that works, while it works; and @Scheduled is seen by the scheduler")
    void tasks() {
        application.withUserConfiguration(WithTasks.class).run(context -> {
            Tasks tasks = context.getBean(Tasks.class);
            tasks.later();
            FakeLocks locks = context.getBean(FakeLocks.class);
            Await.until("the task has its lock", () -> locks.isHeld("async"));
            tasks.go();
            assertThat(tasks.async()).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
            assertThat(tasks.scheduled()).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
            Await.until("it is free", () -> locks.openLeases().isEmpty());
        });
    }
}
