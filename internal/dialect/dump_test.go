package dialect_test
import ("testing";"fmt";"os")
func TestDump(t *testing.T){ if os.Getenv("DUMP")=="" {t.Skip()}
 all,_:=frames(); s:=set(t)
 for _,f:=range all { if f.mayType!="-" && os.Getenv("DUMP")!="all" {continue}
  r:=cli(t,s,f.cli).Read(f.screen,f.cliVersion()); fmt.Printf("%-55s %-10s %-8s may=%-5v end=%-5v q=%-5v %-40s %q g=%q\n",f,r.Composer,r.Turn,r.MayType,r.AtEnd,r.Queued,r.Rule,r.Draft,r.Ghost)}}
