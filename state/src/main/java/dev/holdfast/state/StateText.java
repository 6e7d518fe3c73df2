package dev.holdfast.state;

import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;

/** State that is no JSON is refused in the words of state. */
final class StateText {
    private StateText() {}

    static Json read(String what, byte[] bytes, int from, int length) {
        try {
            return JsonText.read(what, bytes, from, length);
        } catch (InvalidJsonException e) {
            throw new StateInvalidException(String.valueOf(e.getMessage()));
        }
    }

    static StateInvalidException refused(IOException why) {
        return new StateInvalidException(
                String.valueOf(JsonText.refused("State", why).getMessage()));
    }
}
