package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.http.edge.DocumentRoom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("shares of callers")
class SharesTest {
    @Test
    @DisplayName("one has no more than its share, and nobody is remembered who uses nothing")
    void share() {
        Shares shares = new Shares(2);
        assertThat(shares.take("a")).isTrue();
        assertThat(shares.take("a")).isTrue();
        assertThat(shares.take("a")).isFalse();
        assertThat(shares.isUsedUp("a")).isTrue();
        assertThat(shares.take("b")).as("another").isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(shares.take("")).as("nobody in particular").isTrue();
        }
        shares.giveBack("a");
        assertThat(shares.take("a")).isTrue();
        shares.giveBack("a", 2);
        shares.giveBack("b");
        assertThat(shares.size()).isZero();
    }

    @Test
    @DisplayName("room for documents is taken as they come: half of it for one caller, or one document")
    void room() {
        DocumentRoom room = new DocumentRoom(100, 30);
        DocumentRoom.Place hostile = room.enter("h", 10).orElseThrow();
        assertThat(hostile.grow(40)).isTrue();
        assertThat(hostile.grow(1)).as("more than half").isFalse();
        assertThat(room.enter("h", 1)).isEmpty();
        DocumentRoom.Place good = room.enter("g", 50).orElseThrow();
        assertThat(room.enter("x", 1)).as("all of it is taken").isEmpty();
        assertThat(room.taken()).isEqualTo(100);
        hostile.leave();
        hostile.leave();
        assertThat(hostile.grow(1)).as("after it left").isFalse();
        good.leave();
        assertThat(room.taken()).isZero();
        assertThat(new DocumentRoom(30, 30).enter("one", 30))
                .as("one document always")
                .isPresent();
    }

    @Test
    @DisplayName("threads: of one caller a share is under way or waits, and another finds a place")
    void threads() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Blocking blocking = new Blocking("test", 1, 10, 3)) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Boolean> unused = blocking.run("h", () -> end.await(20, TimeUnit.SECONDS));
                assertThat(unused).isNotDone();
            }
            assertThatThrownBy(() -> blocking.run("h", () -> 1)).hasMessageContaining("of this caller");
            CompletableFuture<Integer> good = blocking.run("g", () -> 2);
            end.countDown();
            assertThat(good.get(20, TimeUnit.SECONDS)).isEqualTo(2);
            CompletableFuture<Integer> again = blocking.run("h", () -> 3);
            assertThat(again.get(20, TimeUnit.SECONDS))
                    .as("the share came back")
                    .isEqualTo(3);
        }
    }

    @Test
    @DisplayName("what nobody waits for any more is given up: before its next step, or while it computes")
    void patience() throws Exception {
        WorkPatience patience = new WorkPatience();
        CountDownLatch computing = new CountDownLatch(1);
        CompletableFuture<Object> result = CompletableFuture.supplyAsync(() -> {
            try {
                return patience.computing(() -> {
                    computing.countDown();
                    new CountDownLatch(1).await(); // for ever, if it is not interrupted
                    return "done";
                });
            } catch (Exception e) {
                return e;
            }
        });
        computing.await();
        patience.end(WorkPatience.TOO_LONG);
        assertThat(result.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(patience::check).hasMessageContaining("took too long");
        assertThatThrownBy(() -> patience.during(asked -> "never")).isInstanceOf(Problem.Refused.class);
    }
}
