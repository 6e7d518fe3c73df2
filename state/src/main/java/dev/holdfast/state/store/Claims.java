package dev.holdfast.state.store;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Stack;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Stamps the token of a new holder on the current document. The rewrite gives the document a new tag, so whatever an earlier
 * holder has under way fails, and whatever it looks at next carries a token above its own.
 */
public record Claims(DocumentStore documents) {
    /** Others that claim or save at the same moment are few: one holder, and those it has just replaced. */
    private static final int MAX_ROUNDS = 20;

    /** Claims for a holder of the whole stack, or of a part, beside whom others may hold other parts. */
    public ClaimOutcome claim(Stack stack, LeaseId leaseId, Token token, boolean whole) {
        Optional<OutcomeUnknownException> doubt = Optional.empty();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Optional<DocumentHead> head = documents.look(StateNames.current(stack));
            Token there = head.map(it -> Attributes.token(it.attributes())).orElse(Token.NONE);
            if (whole && there.compareTo(token) > 0) {
                return Refusals.fenced(stack, there);
            }
            if (whole && there.equals(token)) {
                return new ClaimOutcome.Claimed(token);
            }
            try {
                if (documents.write(stamp(stack, leaseId, token, head))
                        instanceof dev.holdfast.documents.WriteOutcome.Written) {
                    return new ClaimOutcome.Claimed(token);
                }
            } catch (OutcomeUnknownException e) {
                if (doubt.isPresent()) {
                    throw e;
                }
                doubt = Optional.of(e); // the next look tells; stamping twice does no harm
            }
        }
        throw new StoreUnavailableException(
                "The state of stack '" + stack + "' could not be claimed: others changed it " + MAX_ROUNDS
                        + " times meanwhile. Try again",
                null);
    }

    private static Change stamp(Stack stack, LeaseId leaseId, Token token, Optional<DocumentHead> head) {
        String name = StateNames.current(stack);
        if (head.isEmpty()) {
            Map<String, String> claim =
                    Map.of(Attributes.TOKEN, token.toString(), Attributes.LEASE, Attributes.lease(leaseId));
            return Change.put(name, Condition.absent(), new byte[0], claim);
        }
        return Change.mark(name, head.get().tag(), stamped(head.get().attributes(), token, Attributes.lease(leaseId)));
    }

    /** The attributes under the later of the two claims. */
    static Map<String, String> stamped(Map<String, String> attributes, Token token, String lease) {
        Map<String, String> changed = new TreeMap<>(attributes);
        if (token.compareTo(Attributes.token(attributes)) >= 0) {
            changed.put(Attributes.TOKEN, token.toString());
            changed.put(Attributes.LEASE, lease);
        }
        return changed;
    }
}
