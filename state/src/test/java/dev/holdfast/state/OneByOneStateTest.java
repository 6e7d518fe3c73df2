package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Lease;
import dev.holdfast.state.store.StateNames;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.StateVersion;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("state on documents that are written one by one")
final class OneByOneStateTest extends StateContract {
    @Override
    DocumentsFixture documents() {
        return DocumentsFixture.oneByOne();
    }

    private OneByOne steps() {
        return (OneByOne) documents;
    }

    @Test
    @DisplayName(
            "a crash between the state and its entry in the history loses nothing: whoever looks next puts it there")
    void crashBetween() {
        Lease lease = take();
        StateVersion first = saved(lease, doc(1, "a"));
        steps().crashAfter(1);
        assertThatThrownBy(() -> state.save(lease, doc(2, "b"), ALICE)).isInstanceOf(OneByOne.Crash.class);
        steps().recover();
        assertThat(current()).isEqualTo(doc(2, "b"));
        assertThat(history()).extracting(StateVersion::serial).containsExactly(2L, 1L);
        assertThat(state.version(SHOP, history().get(0).version()).orElseThrow().content())
                .isEqualTo(doc(2, "b"));
        assertThat(history().get(1)).isEqualTo(first);
    }

    @Test
    @DisplayName("after such a crash the next save keeps the version without an entry before it replaces it")
    void crashThenSave() {
        Lease lease = take();
        steps().crashAfter(1);
        assertThatThrownBy(() -> state.save(lease, doc(1, "a"), ALICE)).isInstanceOf(OneByOne.Crash.class);
        steps().recover();
        force();
        saved(take(), doc(2, "b"));
        assertThat(documents
                        .list(dev.holdfast.documents.ListRequest.of(StateNames.history(SHOP), 10))
                        .heads())
                .hasSize(2);
        assertThat(history()).extracting(StateVersion::serial).containsExactly(2L, 1L);
        assertThat(state.verify(SHOP).isGood()).isTrue();
    }

    @Test
    @DisplayName("a crash before the state is replaced leaves the old one, and nothing in the history")
    void crashBefore() {
        Lease lease = take();
        saved(lease, doc(1, "a"));
        steps().crashAfter(0);
        assertThatThrownBy(() -> state.save(lease, doc(2, "b"), ALICE)).isInstanceOf(OneByOne.Crash.class);
        steps().recover();
        assertThat(current()).isEqualTo(doc(1, "a"));
        assertThat(history()).hasSize(1);
    }

    @Test
    @DisplayName("after such a crash a repeat of the same lease is the same version")
    void crashThenRepeat() {
        Lease lease = take();
        steps().crashAfter(1);
        assertThatThrownBy(() -> state.save(lease, doc(1, "a"), ALICE)).isInstanceOf(OneByOne.Crash.class);
        steps().recover();
        assertThat(state.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Repeated.class);
        assertThat(history()).hasSize(1);
    }
}
