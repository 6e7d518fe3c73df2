package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

@DisplayName("Under Spring Integration's leader election")
class LeaderInitiatorTest {
    private static final String ROLE = "dispatcher";

    @TempDir
    Path directory;

    private final List<Instance> instances = new ArrayList<>();

    /** An instance of an application, with a client of its own on the same file. */
    private static final class Instance extends DefaultCandidate implements AutoCloseable {
        private final LockClient client;
        private final LockRegistryLeaderInitiator initiator;
        private volatile boolean revoked;

        Instance(String id, String url) {
            super(id, ROLE);
            client = LockClient.connect(url, ClientConfig.DEFAULT.withOwner(id));
            initiator = new LockRegistryLeaderInitiator(
                    new HoldfastLockRegistry(client, "leaders", Duration.ofSeconds(2)), this);
            initiator.setHeartBeatMillis(50);
            initiator.setBusyWaitMillis(50);
            initiator.setLeaderEventPublisher(new DefaultLeaderEventPublisher());
        }

        @Override
        public void onRevoked(Context context) {
            revoked = true;
            super.onRevoked(context);
        }

        void stand() {
            initiator.start();
        }

        boolean leads() {
            return initiator.getContext().isLeader();
        }

        @Override
        public void close() {
            initiator.stop();
            client.close();
        }
    }

    @BeforeEach
    void start() {
        String url = "sqlite:" + directory.resolve("locks.db");
        instances.add(new Instance("one", url));
        instances.add(new Instance("two", url));
        instances.get(0).stand();
        Await.until("the first leads", () -> instances.get(0).leads());
        instances.get(1).stand();
    }

    @AfterEach
    void end() {
        instances.forEach(Instance::close);
    }

    @Test
    @DisplayName(
            "the next one leads when the leader is gone without a word, and the old one hears that it does not lead")
    void killed() {
        Instance first = instances.get(0);
        Instance second = instances.get(1);
        String leader = holder(second);
        assertThat(leader).isEqualTo("one");
        assertThat(second.leads()).isFalse();

        first.client.close(); // releases nothing: to others it looks as if the process had died

        Await.until("the second leads", second::leads);
        Await.until("the first has heard", () -> first.revoked && !first.leads());
        assertThat(holder(second)).isEqualTo("two");
    }

    @Test
    @DisplayName("a leader that stops gives the lock back, and one that yields can lead again")
    void stopped() {
        Instance first = instances.get(0);
        Instance second = instances.get(1);
        first.initiator.stop();
        Await.until("the second leads", second::leads);
        assertThat(first.leads()).isFalse();

        second.initiator.getContext().yield();
        Await.until("the second was revoked", () -> second.revoked);
        Await.until("the second leads again", second::leads);
    }

    private static String holder(Instance one) {
        return one.client
                .inspect()
                .get(LockKey.of("leaders", ROLE))
                .holders()
                .get(0)
                .owner();
    }
}
