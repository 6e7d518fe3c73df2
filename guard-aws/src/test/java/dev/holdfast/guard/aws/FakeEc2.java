package dev.holdfast.guard.aws;

import dev.holdfast.guard.actuator.FakeEndpoint.Answer;
import java.io.IOException;
import java.util.Map;

/** EC2 with one instance. */
final class FakeEc2 extends FakeAws {
    static final String ID = "i-0123456789abcdef0";

    FakeEc2(String word) throws IOException {
        super("ec2", word);
    }

    @Override
    String describe() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><DescribeInstancesResponse"
                + " xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\"><requestId>r</requestId><reservationSet><item>"
                + "<reservationId>r-1</reservationId><instancesSet><item><instanceId>" + ID + "</instanceId>"
                + "<instanceState><code>16</code><name>" + word + "</name></instanceState><tagSet>"
                + tagsAs("item", "key", "value")
                + "</tagSet></item></instancesSet></item></reservationSet></DescribeInstancesResponse>";
    }

    @Override
    Answer perform(String action, Map<String, String> form) {
        if (action.endsWith("Tags")) {
            Answer good = new Answer(200, "<" + action + "Response><return>true</return></" + action + "Response>");
            if (!ID.equals(form.get("ResourceId.1"))) {
                return refuse(400, "InvalidID");
            }
            return action.equals("CreateTags")
                    ? tagged(form.get("Tag.1.Key"), form.get("Tag.1.Value"), good)
                    : untagged(form, "Tag.%d.Key", good);
        }
        if (!ID.equals(form.get("InstanceId.1"))) {
            return refuse(400, "InvalidInstanceID.NotFound");
        }
        boolean stop = action.equals("StopInstances");
        if (!word.equals(stop ? "running" : "stopped")) {
            return refuse(400, "IncorrectInstanceState");
        }
        if (form.containsKey("DryRun")) {
            return refuse(412, "DryRunOperation");
        }
        become(stop ? "stopping" : "pending", stop ? "stopped" : "running");
        return new Answer(200, "<" + action + "Response><instancesSet/></" + action + "Response>");
    }

    @Override
    String error(String code, String message) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response><Errors><Error><Code>" + code + "</Code><Message>"
                + message + "</Message></Error></Errors><RequestID>r</RequestID></Response>";
    }
}
