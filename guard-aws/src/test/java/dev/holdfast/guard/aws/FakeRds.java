package dev.holdfast.guard.aws;

import dev.holdfast.guard.actuator.FakeEndpoint.Answer;
import java.io.IOException;
import java.util.Map;

/** RDS with one database. */
final class FakeRds extends FakeAws {
    static final String ID = "orders";
    static final String ARN = "arn:aws:rds:eu-central-1:123456789012:db:orders";

    FakeRds(String word) throws IOException {
        super("rds", word);
    }

    @Override
    String describe() {
        return "<DescribeDBInstancesResponse xmlns=\"http://rds.amazonaws.com/doc/2014-10-31/\">"
                + "<DescribeDBInstancesResult><DBInstances><DBInstance><DBInstanceIdentifier>" + ID
                + "</DBInstanceIdentifier><DBInstanceStatus>" + word + "</DBInstanceStatus><DBInstanceArn>" + ARN
                + "</DBInstanceArn><TagList>" + tagsAs("Tag", "Key", "Value")
                + "</TagList></DBInstance></DBInstances></DescribeDBInstancesResult></DescribeDBInstancesResponse>";
    }

    @Override
    Answer perform(String action, Map<String, String> form) {
        if (action.contains("Tags")) {
            Answer good = new Answer(200, "<" + action + "Response/>");
            if (!ARN.equals(form.get("ResourceName"))) {
                return refuse(400, "InvalidParameterValue");
            }
            return action.equals("AddTagsToResource")
                    ? tagged(form.get("Tags.Tag.1.Key"), form.get("Tags.Tag.1.Value"), good)
                    : untagged(form, "TagKeys.member.%d", good);
        }
        if (!ID.equals(form.get("DBInstanceIdentifier"))) {
            return refuse(404, "DBInstanceNotFound");
        }
        boolean stop = action.equals("StopDBInstance");
        if (!word.equals(stop ? "available" : "stopped")) {
            return refuse(400, "InvalidDBInstanceState");
        }
        become(stop ? "stopping" : "starting", stop ? "stopped" : "available");
        return new Answer(200, "<" + action + "Response/>");
    }

    @Override
    String error(String code, String message) {
        return "<ErrorResponse xmlns=\"http://rds.amazonaws.com/doc/2014-10-31/\"><Error><Type>Sender</Type><Code>"
                + code + "</Code><Message>" + message + "</Message></Error></ErrorResponse>";
    }
}
